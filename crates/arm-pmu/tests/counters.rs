//! Counters by number, and events that a simulated device takes, on the PMU of each IP.

use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a8, mmu600, mmu700};
use arm_pmu_sim::{Arm11, Cci400, Cci500, Cci550, CortexA8, Mmu600, Mmu700, Security};

/// Checks that counters by number match the array, and that there are no others.
macro_rules! by_number {
    ($pmu:expr, $selections:expr) => {{
        let mut pmu = $pmu;
        let number = pmu.counters().len();
        for (n, selection) in (0..number).zip($selections.into_iter().cycle()) {
            assert!(pmu.counter(n).unwrap().selection().is_none(), "off at first");
            pmu.counter(n).unwrap().count(selection);
            let selections = pmu.counters().map(|counter| counter.selection());
            assert_eq!(selections[n], Some(selection.into()));
            let on = selections.iter().filter(|selection| selection.is_some()).count();
            assert_eq!(on, n + 1, "no other counter changed");
        }
        assert!(pmu.counter(number).is_none() && pmu.counter(usize::MAX).is_none());
    }};
}

#[test]
fn counters_by_number_match_the_array() {
    use arm11::Arm1176Event;
    use cortex_a8::CortexA8Event;
    let (arm11, a8) = (Arm11::arm1176(), CortexA8::new());
    let (cci400, cci500, cci550) = (Cci400::new(), Cci500::new(), Cci550::new());
    let (tcu, tbu) = (Mmu600::tcu(), Mmu600::tbu());
    by_number!(
        arm11::arm1176::Pmu::new(arm11.bus()),
        [Arm1176Event::InstructionCacheMiss, Arm1176Event::BranchMispredicted]
    );
    let of_a8 = [CortexA8Event::InstructionCacheRefill, CortexA8Event::BranchMispredicted];
    by_number!(cortex_a8::Pmu::new(a8.bus()), of_a8);
    by_number!(
        cci400::Pmu::new(cci400.bus()),
        [cci400::S3, cci400::S4].map(|source| source.event(cci400::SlaveEvent::ReadRequestAny))
    );
    by_number!(
        cci400::r0::Pmu::new(cci400.bus()),
        [cci400::r0::S3, cci400::r0::S4].map(|of| of.event(cci400::r0::SlaveEvent::ReadRequestAny))
    );
    by_number!(
        cci500::Pmu::new(cci500.bus()),
        [cci500::SI3, cci500::SI4].map(|source| source.event(cci500::SlaveEvent::ReadRequestAny))
    );
    by_number!(
        cci550::Pmu::new(cci550.bus()),
        [cci550::SI3, cci550::SI4].map(|source| source.event(cci550::SlaveEvent::ReadRequestAny))
    );
    by_number!(
        mmu600::tcu::Pmu::new(tcu.page0(), tcu.page1()),
        [mmu600::TcuEvent::ClockCycle, mmu600::TcuEvent::Transaction]
    );
    by_number!(
        mmu600::tbu::Pmu::new(tbu.page0(), tbu.page1()),
        [mmu600::TbuEvent::MainTlbLookup, mmu600::TbuEvent::MainTlbMiss]
    );
    let (tcu, tbu) = (Mmu700::tcu(), Mmu700::tbu());
    tcu.set_counters(16);
    by_number!(
        mmu700::tcu::Pmu::with_counters::<16>(tcu.page0(), tcu.page1()),
        [mmu700::TcuEvent::ClockCycle, mmu700::TcuEvent::Transaction]
    );
    by_number!(
        mmu700::tbu::Pmu::new(tbu.page0(), tbu.page1()),
        [mmu700::TbuEvent::MainTlbLookup, mmu700::TbuEvent::MainTlbMiss]
    );
}

/// A device takes the events of its IP, and no others.
#[test]
fn devices_take_events_of_their_ip() {
    let device = Cci550::new();
    let mut pmu = cci550::Pmu::new(device.bus());
    pmu.counter(0).unwrap().count(cci550::SI3.event(cci550::SlaveEvent::ReadRequestAny));
    pmu.counter(1).unwrap().count(cci550::GlobalEvent::GeneratedWrite);
    let running = pmu.start();
    device.signal(cci550::SI3.event(cci550::SlaveEvent::ReadRequestAny), Security::NonSecure, 5);
    device.signal(cci550::SI4.event(cci550::SlaveEvent::ReadRequestAny), Security::NonSecure, 9);
    device.signal(cci550::GlobalEvent::GeneratedWrite, Security::NonSecure, 2);
    let pmu = running.stop();
    assert_eq!([0, 1].map(|n| pmu.counts()[n].exact()), [Ok(5), Ok(2)]);
}

#[test]
#[should_panic(expected = "is of cci500, and the device has the PMU of cci550")]
fn an_event_of_another_ip_is_refused() {
    let of_cci500 = cci500::SI3.event(cci500::SlaveEvent::ReadRequestAny);
    Cci550::new().signal(of_cci500, Security::NonSecure, 1);
}

#[test]
#[should_panic(expected = "is of mmu600::tcu, and the device has the PMU of mmu600::tbu")]
fn an_event_of_another_unit_is_refused() {
    let stream = arm_pmu_sim::Stream::non_secure(1);
    Mmu600::tbu().signal(mmu600::TcuEvent::ClockCycle, stream, 1);
}

#[test]
#[should_panic(expected = "is of arm11::arm1136, and the device has the PMU of arm11::arm1176")]
fn an_event_of_another_core_is_refused() {
    Arm11::arm1176().signal(arm11::Arm1136Event::InstructionCacheMiss, 1);
}
