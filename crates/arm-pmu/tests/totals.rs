//! Compares totals of 64 bits with the signalled events, on every PMU, under random traffic.
#![cfg(feature = "default")]

use arm_pmu::count::CountError;
use arm_pmu::driver::Divider;
use arm_pmu::measure::{Intervals, RunningMonitor, Totals};
use arm_pmu::{
    arm_pmuv3, arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, cortex_a53,
    cortex_a55, cortex_a72, l2c_310, mmu600, mmu700,
};
use arm_pmu_sim::{
    Arm11, ArmPmuv3, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53, CortexA55,
    CortexA72, L2c310, Mmu600, Mmu700, Security, Stream,
};
use proptest::prelude::*;

/// Any number below 2^32, large ones often: three of them make a wrap likely.
fn events() -> impl Strategy<Value = u32> {
    prop_oneof![0..10_u32, any::<u32>(), (1 << 30)..=u32::MAX]
}

/// Signals each number of events and updates after it: fewer than 2^32 between two updates. First the
/// totals do so, and then, from where the counter stands, intervals.
fn hold(
    running: &mut impl RunningMonitor,
    counter: usize,
    traffic: &[u32],
    signal: impl Fn(u32),
) -> Result<(), TestCaseError> {
    let mut totals = Totals::<7>::of(running);
    let mut sum = 0;
    let (of_totals, of_intervals) = traffic.split_at(traffic.len().div_ceil(2));
    for events in of_totals {
        signal(*events);
        sum += u64::from(*events);
        totals.update(running);
        prop_assert_eq!(totals.get(counter), Ok(sum));
    }
    // One counter alone is in use.
    let mut intervals = Intervals::<_, 1>::of(running, 0);
    for (time, events) in (1..).zip(of_intervals) {
        signal(*events);
        let interval = intervals.next(running, time);
        let [amount] = interval.amounts;
        prop_assert_eq!(
            (interval.from, interval.to, amount.exact()),
            (time - 1, time, Ok((*events).into()))
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_an_arm11(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Arm11::arm1176();
        let mut pmu = arm11::arm1176::Pmu::new(device.bus());
        let [_, counter] = pmu.counters();
        counter.count_from(arm11::Arm1176Event::InstructionExecuted, from);
        hold(&mut pmu.start(), 1, &traffic, |events| device.signal_raw(0x07, events))?;
    }

    #[test]
    fn of_the_cycles_of_an_arm11(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Arm11::arm1136();
        let mut pmu = arm11::arm1136::Pmu::new(device.bus());
        pmu.cycle_counter().count_from(Divider::By1, from);
        hold(&mut pmu.start(), 2, &traffic, |events| device.clock(events.into()))?;
    }

    #[test]
    fn of_a_cci400(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Cci400::new();
        let mut pmu = cci400::Pmu::new(device.bus());
        let [.., counter] = pmu.counters();
        counter.count_from(cci400::S1.event(cci400::SlaveEvent::Evict), from);
        let evict = cci400::SlaveEvent::Evict.code() as u8;
        let signal = |events| device.signal_raw(1, evict, Security::NonSecure, events);
        hold(&mut pmu.start(), 3, &traffic, signal)?;
    }

    #[test]
    fn of_a_cci500(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Cci500::new();
        let mut pmu = cci500::Pmu::new(device.bus());
        let [_, counter, ..] = pmu.counters();
        counter.count_from(cci500::SI1.event(cci500::SlaveEvent::Evict), from);
        let evict = cci500::SlaveEvent::Evict.code() as u8;
        let signal = |events| device.signal_raw(1, evict, Security::NonSecure, events);
        hold(&mut pmu.start(), 1, &traffic, signal)?;
    }

    #[test]
    fn of_a_cci550(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Cci550::new();
        let mut pmu = cci550::Pmu::new(device.bus());
        let [_, counter, ..] = pmu.counters();
        counter.count_from(cci550::SI1.event(cci550::SlaveEvent::Evict), from);
        let evict = cci550::SlaveEvent::Evict.code() as u8;
        let signal = |events| device.signal_raw(1, evict, Security::NonSecure, events);
        hold(&mut pmu.start(), 1, &traffic, signal)?;
    }

    #[test]
    fn of_every_core_with_pmuv3(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = ArmPmuv3::new();
        let mut pmu: arm_pmuv3::Pmu<_> = arm_pmuv3::Pmu::new(device.bus());
        let [.., counter] = pmu.counters();
        counter.count_from(arm_pmuv3::CommonEvent::InstRetired, from);
        hold(&mut pmu.start(), 3, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_a_cortex_a53(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA53::new();
        let mut pmu = cortex_a53::Pmu::new(device.bus());
        let [.., counter] = pmu.counters();
        counter.count_from(cortex_a53::CortexA53Event::InstRetired, from);
        hold(&mut pmu.start(), 5, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_the_cycles_of_a_cortex_a53(traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA53::new();
        let mut pmu = cortex_a53::Pmu::new(device.bus());
        pmu.cycle_counter().count();
        hold(&mut pmu.start(), 6, &traffic, |events| device.clock(events.into()))?;
    }

    #[test]
    fn of_a_cortex_a55(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA55::new();
        let mut pmu = cortex_a55::Pmu::new(device.bus());
        let [counter, ..] = pmu.counters();
        counter.count_from(cortex_a55::CortexA55Event::InstRetired, from);
        hold(&mut pmu.start(), 0, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_a_cortex_a72(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA72::new();
        let mut pmu = cortex_a72::Pmu::new(device.bus());
        let [_, _, counter, ..] = pmu.counters();
        counter.count_from(cortex_a72::CortexA72Event::InstRetired, from);
        hold(&mut pmu.start(), 2, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_a_cortex_a7(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA7::new();
        let mut pmu = cortex_a7::Pmu::new(device.bus());
        let [.., counter] = pmu.counters();
        counter.count_from(cortex_a7::CortexA7Event::InstRetired, from);
        hold(&mut pmu.start(), 3, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_a_cortex_a8(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA8::new();
        let mut pmu = cortex_a8::Pmu::new(device.bus());
        let [_, _, counter, _] = pmu.counters();
        counter.count_from(cortex_a8::CortexA8Event::InstructionExecuted, from);
        hold(&mut pmu.start(), 2, &traffic, |events| device.signal_raw(0x08, events))?;
    }

    #[test]
    fn of_the_cycles_of_a_cortex_a8(traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA8::new();
        let mut pmu = cortex_a8::Pmu::new(device.bus());
        pmu.cycle_counter().count(Divider::By1);
        hold(&mut pmu.start(), 4, &traffic, |events| device.clock(events.into()))?;
    }

    #[test]
    fn of_a_cortex_a9(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = CortexA9::new();
        let mut pmu = cortex_a9::Pmu::new(device.bus());
        let [.., counter] = pmu.counters();
        counter.count_from(cortex_a9::CortexA9Event::InstRenamed, from);
        hold(&mut pmu.start(), 5, &traffic, |events| device.signal_raw(0x68, events))?;
    }

    /// A full counter stays full: from then on totals and intervals are lower bounds.
    #[test]
    fn of_an_l2c_310(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let reads = l2c_310::L2c310Event::DataReadRequest;
        let device = L2c310::new();
        let mut pmu = l2c_310::Pmu::new(device.bus());
        let [_, counter] = pmu.counters();
        counter.count_from(reads, from);
        let mut running = pmu.start();
        let mut totals = Totals::<2>::of(&mut running);
        let (mut sum, room) = (0, u64::from(u32::MAX - from));
        let (of_totals, of_intervals) = traffic.split_at(traffic.len().div_ceil(2));
        for events in of_totals {
            device.signal(reads, *events);
            sum += u64::from(*events);
            totals.update(&mut running);
            let expected = if sum < room { Ok(sum) } else { Err(CountError::Saturated) };
            prop_assert_eq!((totals.get(1), totals.lower_bound(1)), (expected, sum.min(room)));
        }
        // One counter alone is in use.
        let mut intervals = Intervals::<_, 1>::of(&mut running, 0);
        for events in of_intervals {
            device.signal(reads, *events);
            let [amount] = intervals.next(&mut running, 0).amounts;
            let before = sum.min(room);
            sum += u64::from(*events);
            let expected = if sum < room { Ok((*events).into()) } else { Err(CountError::Saturated) };
            let known = (amount.exact(), amount.lower_bound());
            prop_assert_eq!(known, (expected, sum.min(room) - before));
        }
    }

    #[test]
    fn of_an_mmu600(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Mmu600::tcu();
        let mut pmu = mmu600::tcu::Pmu::new(device.page0(), device.page1());
        let [counter, ..] = pmu.counters();
        counter.count_from(mmu600::TcuEvent::Transaction, from);
        let signal = |events| device.signal_raw(0x01, Stream::non_secure(7), events);
        hold(&mut pmu.start(), 0, &traffic, signal)?;
    }

    #[test]
    fn of_an_mmu700(from in any::<u32>(), traffic in prop::collection::vec(events(), 1..12)) {
        let device = Mmu700::tcu();
        let mut pmu = mmu700::tcu::Pmu::new(device.page0(), device.page1());
        let [counter, ..] = pmu.counters();
        counter.count_from(mmu700::TcuEvent::Transaction, from);
        let signal = |events| device.signal_raw(0x01, Stream::non_secure(7), events);
        hold(&mut pmu.start(), 0, &traffic, signal)?;
    }

    /// The clock runs with every access, so that the counter wraps between any two accesses.
    #[test]
    fn of_cycles_that_pass_while_they_are_read(
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
            // No wrap is missed and none is counted twice: an update makes fewer than 64 accesses.
            for counter in 0..4 {
                let spent = spent(counter)?;
                prop_assert!((cycles..cycles + 64 * per_access).contains(&spent), "{spent}");
            }
        }
        // What was read is what was there.
        let held = running.counts().map(|count| count.wrapping_value());
        for (counter, held) in held.into_iter().enumerate() {
            let total = totals.get(counter).unwrap() as u32;
            prop_assert!(u64::from(held.wrapping_sub(total)) < 64 * per_access);
        }
    }
}
