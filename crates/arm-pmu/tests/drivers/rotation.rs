//! Tests in which events take turns on the counters, for every driver.

use crate::devices::{self, Device, EVENTS, on_every_driver};
use arm_pmu::count::{Amount, CountError, Scaling};
use arm_pmu::schedule::EventSet;
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

/// Measures a long run with constant rates (events per cycle), and checks that each estimate equals the true count.
/// Each slice consists of equal parts that are short enough for the counters. `slices` contains (cycles of one part,
/// number of parts) for each slice.
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

/// The driver's filter applies to all counters, and event sets do not change it.
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

fn estimates_follow_constant_rates<D: Device>() {
    if D::SATURATES {
        return;
    }
    let config =
        || ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    let slices = |cycles: u32, parts: u32| prop::collection::vec((1..cycles, 1..parts), 1..12);
    let rates = |most: u32| prop::array::uniform6(0..most);
    proptest!(config(), |(rates in rates(1_000), slices in slices(1_000_000, 6))| {
        rotation::<D>(rates, &slices)?;
    });
    proptest!(config(), |(rates in rates(4), slices in slices(1 << 30, 10))| {
        rotation::<D>(rates, &slices)?;
    });
}

on_every_driver! { $
    estimates_follow_constant_rates
}
