//! Compares 64-bit totals of every driver with the signalled events, with random traffic.
#![cfg(feature = "default")]

#[macro_use]
#[path = "support/devices.rs"]
mod devices;

use arm_pmu::count::CountError;
use arm_pmu::measure::{Intervals, Monitor, RunningMonitor, StartStop, Totals};
use arm_pmu::mmu600;
use arm_pmu_sim::Mmu600;
use devices::Device;
use proptest::prelude::*;

/// Numbers below 2^32, often large, so that a few of them wrap a counter.
fn events() -> impl Strategy<Value = u32> {
    prop_oneof![0..10_u32, any::<u32>(), (1 << 30)..=u32::MAX]
}

/// Signals each number of events, and updates after each. Totals start from zero, and intervals from the current count.
/// A saturating counter becomes full after some events: from then on, totals and intervals are lower bounds.
fn hold(
    running: &mut impl RunningMonitor,
    counter: usize,
    room: Option<u64>,
    traffic: &[u32],
    signal: impl Fn(u32),
) -> Result<(), TestCaseError> {
    let is_full = |sum| room.is_some_and(|room| sum >= room);
    let known = |sum: u64| room.map_or(sum, |room| sum.min(room));
    let mut totals = Totals::<32>::of(running);
    let mut sum = 0;
    let (of_totals, of_intervals) = traffic.split_at(traffic.len().div_ceil(2));
    for events in of_totals {
        signal(*events);
        sum += u64::from(*events);
        totals.update(running);
        let expected = if is_full(sum) { Err(CountError::Saturated) } else { Ok(sum) };
        let total = (totals.get(counter), totals.lower_bound(counter));
        prop_assert_eq!(total, (expected, known(sum)));
    }
    // Only one counter is in use.
    let mut intervals = Intervals::<_, 1>::of(running, 0);
    for (time, events) in (1..).zip(of_intervals) {
        signal(*events);
        let before = known(sum);
        sum += u64::from(*events);
        let interval = intervals.next(running, time);
        let [amount] = interval.amounts;
        let expected = if is_full(sum) { Err(CountError::Saturated) } else { Ok((*events).into()) };
        prop_assert_eq!((interval.from, interval.to), (time - 1, time));
        let found = (amount.exact(), amount.lower_bound());
        prop_assert_eq!(found, (expected, known(sum) - before));
    }
    Ok(())
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

fn of_events<D: Device>() {
    let counters = <D::Pmu<'_> as Monitor>::COUNTERS - usize::from(D::HAS_CYCLE_COUNTER);
    proptest!(config(), |(
        counter in 0..counters,
        from in any::<u32>(),
        traffic in prop::collection::vec(events(), 1..12),
    )| {
        let device = D::new();
        let mut pmu = device.pmu();
        D::count_from(&mut pmu, counter, 0, from);
        let room = D::SATURATES.then(|| u64::from(u32::MAX - from));
        hold(&mut pmu.start(), counter, room, &traffic, |events| device.signal(0, events))?;
    });
}

/// Checks the cycles, if there is a cycle counter.
fn of_cycles<D: Device>() {
    let Some(clock) = <D::Pmu<'_> as Monitor>::CLOCK else { return };
    proptest!(config(), |(traffic in prop::collection::vec(events(), 1..12))| {
        let device = D::new();
        let mut pmu = device.pmu();
        pmu.assign(&[clock]).unwrap();
        let mut running = pmu.start();
        let counter = running.counter_of(0);
        hold(&mut running, counter, None, &traffic, |cycles| device.cycles(cycles.into()))?;
    });
}

on_every_driver! { $
    of_events
    of_cycles
}

proptest! {
    #![proptest_config(config())]

    /// The clock advances with every access, so the counter wraps between any two accesses.
    #[test]
    fn cycles_wrap_between_accesses(
        per_access in 1_u64..(1 << 32) / 64,
        steps in prop::collection::vec(0_u64..1 << 30, 1..40),
    ) {
        let device = Mmu600::tbu();
        let mut pmu = mmu600::tbu::Pmu::new(device.page0(), device.page1());
        for counter in pmu.counters() {
            counter.count(mmu600::TbuEvent::ClockCycle);
        }
        let mut running = pmu.start();
        device.set_cycles_per_access(per_access);
        let mut totals = Totals::<4>::of(&mut running);
        for cycles in steps {
            let before = totals.clone();
            device.clock(cycles);
            totals.update(&mut running);
            let spent = |counter| Ok::<_, TestCaseError>({
                let pair = (before.get(counter), totals.get(counter));
                let (Ok(before), Ok(after)) = pair else {
                    return Err(TestCaseError::fail(format!("{pair:?}")));
                };
                after - before
            });
            // An update makes fewer than 64 accesses, so each wrap is counted once.
            for counter in 0..4 {
                let spent = spent(counter)?;
                prop_assert!((cycles..cycles + 64 * per_access).contains(&spent), "{spent}");
            }
        }
        // The total matches the counter.
        let held = running.counts().map(|count| count.wrapping_value());
        for (counter, held) in held.into_iter().enumerate() {
            let total = totals.get(counter).unwrap() as u32;
            prop_assert!(u64::from(held.wrapping_sub(total)) < 64 * per_access);
        }
    }
}
