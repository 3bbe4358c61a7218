//! Tests of counters by number, on the PMU of each IP.
#![cfg(feature = "default")]

#[path = "support/devices.rs"]
mod devices;

use devices::Device as _;

/// Checks that each counter by number matches the array, and that there are no further counters.
macro_rules! by_number {
    ($($pmu:ident { $($row:tt)* })*) => { $( {
        let device = devices::$pmu::Simulated::new();
        let mut pmu = device.pmu();
        let number = pmu.counters().len();
        for (n, selection) in (0..number).zip(devices::$pmu::events().into_iter().cycle()) {
            assert!(pmu.counter(n).unwrap().selection().is_none(), "off at first");
            pmu.counter(n).unwrap().count(selection);
            let selections = pmu.counters().map(|counter| counter.selection());
            assert_eq!(selections[n], Some(selection));
            let on = selections.iter().filter(|selection| selection.is_some()).count();
            assert_eq!(on, n + 1, "no other counter changed");
        }
        assert!(pmu.counter(number).is_none() && pmu.counter(usize::MAX).is_none());
    } )* };
}

#[test]
fn counters_by_number_match_the_array() {
    arm_pmu::for_each_pmu!(by_number);
}
