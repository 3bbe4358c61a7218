//! Tests of counters by number, and of events that a simulated device accepts, on the PMU of each IP.
#![cfg(feature = "default")]

#[path = "support/devices.rs"]
mod devices;

use arm_pmu::{arm11, cci500, mmu600};
use arm_pmu_sim::{Arm11, Cci550, Mmu600, Security};
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

#[test]
#[should_panic(expected = "is of cci500, and the device has the PMU of cci550")]
fn an_event_of_another_ip_is_rejected() {
    let of_cci500 = cci500::SI3.event(cci500::SlaveEvent::ReadRequestAny);
    Cci550::new().signal(of_cci500, Security::NonSecure, 1);
}

#[test]
#[should_panic(expected = "is of mmu600::tcu, and the device has the PMU of mmu600::tbu")]
fn an_event_of_another_unit_is_rejected() {
    let stream = arm_pmu_sim::Stream::non_secure(1);
    Mmu600::tbu().signal(mmu600::TcuEvent::ClockCycle, stream, 1);
}

#[test]
#[should_panic(expected = "is of arm11::arm1136, and the device has the PMU of arm11::arm1176")]
fn an_event_of_another_core_is_rejected() {
    Arm11::arm1176().signal(arm11::Arm1136Event::InstructionCacheMiss, 1);
}
