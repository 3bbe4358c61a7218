//! Tests of budgets that are renewed while the counters of each driver run.
#![cfg(feature = "default")]

#[macro_use]
#[path = "support/devices.rs"]
mod devices;

use std::num::NonZeroU32;

use arm_pmu::count::{Count, CountError};
use arm_pmu::measure::{Monitor, Rearm as _, RunningMonitor, StartStop};
use devices::{Device, EVENTS};
use proptest::prelude::*;

/// Events that the driver reports for `used` events: a saturating counter misses events beyond the budget.
fn known<D: Device>(used: u32, budget: NonZeroU32) -> u64 {
    if D::SATURATES { used.min(budget.get()).into() } else { used.into() }
}

/// Gives event 0 several budgets. Each budget is used in part, exactly, or exceeded.
fn hold<D: Device>(device: &D, budgets: &[(NonZeroU32, u32)]) -> Result<(), TestCaseError> {
    let all = D::selections();
    let mut pmu = device.pmu();
    pmu.assign(&all[..2]).unwrap();
    let mut running = pmu.start();
    let mut other = 0;
    for (budget, used) in budgets {
        running.rearm(0, *budget);
        prop_assert_eq!(running.take_overflows(), 0);
        device.signal(0, *used);
        device.signal(1, 3);
        other += 3;
        let over = *used >= budget.get();
        let mut counts = [Count::NOT_COUNTED; 2];
        running.read(&mut counts);
        let [count, beside] = counts;
        // The counter has 32 bits, with any start value, or keeps an exact count.
        prop_assert_eq!(count.exact().ok(), (!over || D::LONG).then_some(*used));
        prop_assert_eq!(count.lower_bound(), known::<D>(*used, *budget));
        prop_assert_eq!(beside, Count::new(other));
        prop_assert_eq!(running.take_overflows(), u32::from(over));
        prop_assert_eq!(running.take_overflows(), 0, "once");
    }
    let (budget, last) = budgets[budgets.len() - 1];
    let over = last >= budget.get();
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    prop_assert_eq!(pmu.count(0).exact().is_err(), over && !D::LONG);
    prop_assert_eq!(pmu.count(0).lower_bound(), known::<D>(last, budget));
    prop_assert_eq!(pmu.count(1), Count::new(other));
    // Exceeded budgets do not affect the next start.
    let running = pmu.start();
    device.signal(0, last);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    let is_full = D::SATURATES && last == u32::MAX;
    prop_assert_eq!(pmu.count(0).exact().ok(), (!is_full).then_some(last));
    Ok(())
}

/// Unused counters do not change. The cycle counter can also have a budget.
fn at_the_edges<D: Device>() {
    let device = &D::new();
    let ten = NonZeroU32::new(10).unwrap();
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..1]).unwrap();
    let mut running = pmu.start();
    for counter in [1, 2, EVENTS, 31, 32, 33, usize::MAX] {
        running.rearm(counter, ten);
    }
    device.signal(0, 7);
    device.cycles(100);
    assert_eq!(running.take_overflows(), 0);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert_eq!(pmu.count(0), Count::new(7));

    let Some(clock) = <D::Pmu<'_> as Monitor>::CLOCK else { return };
    pmu.assign(&[D::selections()[0], clock]).unwrap();
    let mut running = pmu.start();
    let counter = running.counter_of(1);
    for _ in 0..3 {
        running.rearm(counter, ten);
        device.cycles(9);
        assert_eq!(running.take_overflows(), 0);
        device.cycles(1);
        assert_eq!(running.take_overflows(), 1 << counter);
        device.signal(0, 1);
    }
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    assert_eq!(pmu.count(0), Count::new(3));
    // PMCCNTR_EL0 and CLUSTERPMCCNTR_EL1 have 64 bits.
    let is_long = ["arm_pmuv3", "dsu"].contains(&D::KIND);
    let exact = if is_long { Ok(10) } else { Err(CountError::Overflowed) };
    assert!(pmu.count(1).overflowed());
    assert_eq!((pmu.count(1).lower_bound(), pmu.count(1).exact()), (10, exact));
}

fn any_budgets() -> impl Strategy<Value = Vec<(NonZeroU32, u32)>> {
    let number = || prop_oneof![1..20_u32, 1..=u32::MAX];
    let budget = number().prop_map(|events| NonZeroU32::new(events).unwrap());
    prop::collection::vec((budget, number()), 1..6)
}

fn again_and_again<D: Device>() {
    let config =
        ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(budgets in any_budgets())| hold(&D::new(), &budgets)?);
}

on_every_driver! { $
    at_the_edges
    again_and_again
}
