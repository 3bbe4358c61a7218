//! Compares the results of every way to measure with the signalled events, on a PMU of every driver, with random traffic.
#![cfg(feature = "default")]

#[macro_use]
#[path = "support/devices.rs"]
mod devices;

use arm_pmu::count::{Amount, CountError, Scaling};
use arm_pmu::measure::{Intervals, Monitor, RunningMonitor, StartStop, measure};
use arm_pmu::schedule::{EventSet, Spread, SpreadError};
use devices::{Device, EVENTS};
use proptest::prelude::*;

/// Occurrences of each event, and number of cycles.
#[derive(Clone, Debug)]
struct Part {
    events: [u32; EVENTS],
    cycles: u32,
}

impl Part {
    fn happens<D: Device>(&self, device: &D) {
        for (nth, times) in self.events.into_iter().enumerate() {
            device.signal(nth, times);
        }
        device.cycles(self.cycles.into());
    }
}

fn any_part() -> impl Strategy<Value = Part> {
    let events = || prop_oneof![0..10_u32, any::<u32>(), (1 << 30)..=u32::MAX];
    let all = prop::array::uniform6(events());
    (all, events()).prop_map(|(events, cycles)| Part { events, cycles })
}

fn sum_of(parts: &[Part], nth: usize) -> u64 {
    parts.iter().map(|part| u64::from(part.events[nth])).sum()
}

/// Maximum number of events that a PMU counts together, in addition to the cycles.
fn at_once<D: Device>(pmu: &mut D::Pmu<'_>) -> usize {
    let all = D::selections();
    (1..=EVENTS).rev().find(|first| pmu.assign(&all[..*first]).is_ok()).unwrap()
}

/// Measures one run. A count must be exact, or marked with a correct known part.
fn single_run<D: Device>(parts: &[Part]) -> Result<(), TestCaseError> {
    let device = D::new();
    let mut pmu = device.pmu();
    let all = D::selections();
    let first = at_once::<D>(&mut pmu);
    let (clock, used) = (<D::Pmu<'_> as Monitor>::CLOCK, first.min(2));
    let work = || parts.iter().for_each(|part| part.happens(&device));
    let measured = measure(&mut pmu, [all[0], all[used - 1]], work).unwrap();
    for (count, nth) in measured.counts.into_iter().zip([0, used - 1]) {
        let truth = sum_of(parts, nth);
        prop_assert_eq!(count.wrapping_value(), truth as u32);
        prop_assert_eq!(count.exact().ok(), u32::try_from(truth).ok());
        prop_assert!(count.lower_bound() <= truth);
    }
    if let Some(clock) = clock {
        let work = || parts.iter().for_each(|part| part.happens(&device));
        let [cycles] = measure(&mut pmu, [clock], work).unwrap().counts;
        let truth: u64 = parts.iter().map(|part| u64::from(part.cycles)).sum();
        prop_assert_eq!(cycles.exact().ok(), u32::try_from(truth).ok());
    }
    Ok(())
}

/// Repeats the same work. Each event is counted in one of the runs.
fn passes<D: Device>(part: &Part) -> Result<(), TestCaseError> {
    let device = D::new();
    let mut pmu = device.pmu();
    let mut runs = 0;
    let mut plan = EventSet::<D::Selection, EVENTS>::new();
    let all = D::selections();
    let pair = plan.add_group(&[all[1], all[4]]).unwrap();
    plan.each(&[all[0], all[2], all[3], all[5]]).unwrap();
    let passes = plan.run(&mut pmu, || {
        runs += 1;
        part.happens(&device);
    });
    let passes = passes.unwrap();
    prop_assert_eq!(runs, passes.number());
    prop_assert!(passes.is_together(pair));
    for (nth, selection) in all.into_iter().enumerate() {
        prop_assert_eq!(passes.amount(selection).exact(), Ok(part.events[nth].into()));
    }
    let cycles = u64::from(part.cycles);
    let spread = match (passes.number(), passes.reference()) {
        (1, _) => Ok(Spread::ZERO),
        (_, None) => Err(SpreadError::NoReference),
        (_, Some(_)) => Ok(Spread { least: cycles, most: cycles }),
    };
    prop_assert_eq!(passes.spread(), spread);
    Ok(())
}

/// Repeats the same work until counters wrap. An update precedes each wrap.
fn long_passes<D: Device>(parts: &[Part]) -> Result<(), TestCaseError> {
    let device = D::new();
    let mut pmu = device.pmu();
    let schedule =
        EventSet::<D::Selection, EVENTS>::of(D::selections()).schedule(&mut pmu).unwrap();
    let (_, passes) = schedule.run_long(pmu, |keep_up| {
        for part in parts {
            part.happens(&device);
            keep_up();
        }
        // The last part is not followed by an update.
        parts[0].happens(&device);
    });
    let passes = passes.unwrap();
    for (nth, (_, amount)) in passes.pairs().enumerate() {
        let truth = sum_of(parts, nth) + u64::from(parts[0].events[nth]);
        prop_assert_eq!(amount.exact(), Ok(truth));
    }
    let cycles = parts.iter().chain(&parts[..1]).map(|part| u64::from(part.cycles)).sum();
    for (pass, reference) in (0..).zip(passes.reference_amounts()) {
        prop_assert_eq!(reference, Amount::new(cycles).in_pass(pass));
    }
    Ok(())
}

/// Measures a long run with constant rates, in events per cycle: the estimate equals the true number. A slice is
/// (cycles of a part, number of parts); a part is short enough for the counters.
fn rotation<D: Device>(rates: [u32; EVENTS], slices: &[(u32, u32)]) -> Result<(), TestCaseError> {
    let device = D::new();
    let mut pmu = device.pmu();
    let schedule =
        EventSet::<D::Selection, EVENTS>::of(D::selections()).schedule(&mut pmu).unwrap();
    let passes = schedule.passes();
    let mut rotation = schedule.rotate(pmu, 0);
    let mut now = 0;
    for (nth, (cycles, parts)) in slices.iter().enumerate() {
        if nth > 0 {
            rotation.rotate(now);
        }
        for part in 0..*parts {
            if part > 0 {
                rotation.update();
            }
            now += u64::from(*cycles);
            Part { events: rates.map(|rate| rate * cycles), cycles: *cycles }.happens(&device);
        }
    }
    let slices: Vec<u64> =
        slices.iter().map(|(cycles, parts)| u64::from(*cycles) * u64::from(*parts)).collect();
    let (pmu, rotated) = rotation.stop(now);
    prop_assert!(pmu.is_some());
    for (count, rate) in rotated.counts().zip(rates) {
        let truth = u64::from(rate) * now;
        let amount = count.amount;
        if passes == 1 {
            // The amount is exact after any number of wraps.
            prop_assert_eq!(amount, Amount::new(truth));
            continue;
        }
        let mine = || slices.iter().skip(amount.pass() as usize).step_by(passes);
        prop_assert_eq!(count.slices as usize, mine().count());
        if count.slices == 0 {
            prop_assert_eq!(amount.estimate(), Err(CountError::NotCounted));
            continue;
        }
        for estimate in [amount, count.least, count.most] {
            prop_assert_eq!(estimate.estimate(), Ok(truth), "{:?}", count);
        }
        let counted = mine().sum();
        if slices.len() > 1 {
            prop_assert_eq!(amount.scaling(), Scaling { time_running: counted, time_enabled: now });
            prop_assert!(amount.to_string().starts_with('~'));
        }
    }
    Ok(())
}

/// Reads a running PMU after each part, and sometimes within a part.
fn intervals<D: Device>(parts: &[(Part, bool)]) -> Result<(), TestCaseError> {
    let device = D::new();
    let mut pmu = device.pmu();
    let all = D::selections();
    let mut what = [all[0]; 3];
    let number = at_once::<D>(&mut pmu).min(3);
    what[..number].copy_from_slice(&all[..number]);
    pmu.assign(&what[..number]).unwrap();
    let mut running = pmu.start();
    let mut intervals = Intervals::<_, 3>::of(&mut running, 7);
    let selections = core::array::from_fn(|nth| (nth < number).then_some(what[nth]));
    prop_assert_eq!(*intervals.selections(), selections);
    let first = intervals.snapshot(&mut running, 7);
    let (mut since, mut from) = ([0_u64; 3], 7);
    for (at, (part, ends)) in (8..).zip(parts) {
        part.happens(&device);
        for (sum, events) in since.iter_mut().zip(part.events) {
            *sum += u64::from(events);
        }
        if !ends {
            intervals.update(&mut running);
            continue;
        }
        let interval = intervals.next(&mut running, at);
        prop_assert_eq!((interval.from, interval.to), (from, at));
        let expected = since.map(Amount::new);
        prop_assert_eq!(&interval.amounts[..number], &expected[..number]);
        (since, from) = ([0; 3], at);
    }
    let last = intervals.snapshot(&mut running, 99);
    let whole = last.since(&first);
    prop_assert_eq!((whole.from, whole.to, whole.amounts), (7, 99, last.amounts()));
    for (nth, amount) in whole.amounts.into_iter().enumerate().take(number) {
        let parts: Vec<Part> = parts.iter().map(|(part, _)| part.clone()).collect();
        prop_assert_eq!(amount, Amount::new(sum_of(&parts, nth)));
    }
    prop_assert!(<<D::Pmu<'_> as StartStop>::Running as RunningMonitor>::COUNTERS >= number);
    Ok(())
}

/// The filter applies to all counters. The filter belongs to the driver, and event sets do not change the filter.
#[test]
fn mmu600_filters_hold_in_every_pass() {
    let device = devices::mmu600_tcu::Simulated::new();
    let mut pmu = device.pmu();
    pmu.filter_streams(arm_pmu::mmu600::StreamFilter::exactly(7).unwrap());
    let plan = EventSet::<_, EVENTS>::of(devices::mmu600_tcu::Simulated::selections());
    let passes = plan.run(&mut pmu, || {
        Part { events: [3; EVENTS], cycles: 100 }.happens(&device);
        for event in 1..=6 {
            device.simulated().signal_raw(event, arm_pmu_sim::Stream::non_secure(9), 1_000);
        }
    });
    let passes = passes.unwrap();
    assert_eq!(passes.number(), 2);
    assert!(passes.pairs().all(|(_, amount)| amount.exact() == Ok(3)));
}

/// Tests every way to measure. `totals.rs` and `interrupted.rs` test full counters that saturate.
fn under_random_traffic<D: Device>() {
    if D::SATURATES {
        return;
    }
    let config =
        || ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    let parts = |most| prop::collection::vec(any_part(), 1..most);
    let slices = |cycles: u32, parts: u32| prop::collection::vec((1..cycles, 1..parts), 1..12);
    let rates = |most: u32| prop::array::uniform6(0..most);
    proptest!(config(), |(parts in parts(5))| single_run::<D>(&parts)?);
    proptest!(config(), |(part in any_part())| passes::<D>(&part)?);
    proptest!(config(), |(parts in parts(6))| long_passes::<D>(&parts)?);
    proptest!(config(), |(rates in rates(1_000), slices in slices(1_000_000, 6))| {
        rotation::<D>(rates, &slices)?;
    });
    proptest!(config(), |(rates in rates(4), slices in slices(1 << 30, 10))| {
        rotation::<D>(rates, &slices)?;
    });
    let readings = || prop::collection::vec((any_part(), any::<bool>()), 1..12);
    proptest!(config(), |(readings in readings())| intervals::<D>(&readings)?);
}

on_every_driver! { $
    under_random_traffic
}
