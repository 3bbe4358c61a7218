//! Identification of a unit's PMU.

use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{Mmu600, Response, Strict};
use mmu600::{tbu, tcu};

fn tcu_reason(device: &Mmu600) -> Option<ProbeErrorKind> {
    let found = tcu::Pmu::probe(device.page0(), device.page1());
    found.err().map(|refused| refused.kind())
}

fn tbu_reason(device: &Mmu600) -> Option<ProbeErrorKind> {
    let found = tbu::Pmu::probe(device.page0(), device.page1());
    found.err().map(|refused| refused.kind())
}

#[test]
fn the_units_are_distinguished() {
    let (tcu, tbu) = (Strict::new(Mmu600::tcu()), Strict::new(Mmu600::tbu()));
    assert_eq!((tcu_reason(&tcu), tbu_reason(&tbu)), (None, None));
    assert_eq!(tcu_reason(&tbu), Some(ProbeErrorKind::Part { found: 0x484, expected: 0x483 }));
    assert_eq!(tbu_reason(&tcu), Some(ProbeErrorKind::Part { found: 0x483, expected: 0x484 }));
}

#[test]
fn every_revision_is_accepted() {
    let device = Strict::new(Mmu600::tbu());
    for (major, minor) in [(0, 0), (0, 1), (1, 0), (2, 1), (2, 2), (15, 15)] {
        device.set_revision(major, minor);
        assert_eq!(tbu_reason(&device), None);
    }
}

#[test]
fn other_devices_are_distinguished_from_no_access() {
    let device = Strict::new(Mmu600::tbu());
    device.set_part_number(0x487);
    assert_eq!(tbu_reason(&device), Some(ProbeErrorKind::Part { found: 0x487, expected: 0x484 }));
    device.set_part_number(0x484);
    // With NSRA = 0, Non-secure software reads zero, but Secure software does not.
    device.set_non_secure_access(false);
    let shut_out = tbu::Pmu::probe(device.non_secure_page0(), device.non_secure_page1());
    let refused = shut_out.unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::ReadsAsZero);
    assert_eq!(tbu_reason(&device), None);
    device.set_non_secure_access(true);
    let (page0, page1) = refused.into_bus();
    assert!(tbu::Pmu::probe(page0, page1).is_ok(), "the buses can be used again");
}

#[test]
fn a_missing_device_is_not_another_product() {
    let device = Strict::new(Mmu600::tbu());
    device.set_response(Response::Ones);
    assert_eq!(tbu_reason(&device), Some(ProbeErrorKind::ReadsAsOnes));
    // If only the part number is all ones, the device answers, but is another product.
    let device = Strict::new(Mmu600::tbu());
    device.set_part_number(0xFFF);
    assert_eq!(tbu_reason(&device), Some(ProbeErrorKind::Part { found: 0xFFF, expected: 0x484 }));
}

#[test]
fn one_base_address_reaches_both_pages() {
    let (tcu, tbu) = (Strict::new(Mmu600::tcu()), Strict::new(Mmu600::tbu()));
    let mut pmu = tbu::Pmu::probe_at(tbu.region()).unwrap();
    let [cycles, ..] = pmu.counters();
    cycles.count(tbu::TbuEvent::ClockCycle);
    let running = pmu.start();
    tbu.clock(7);
    assert_eq!(running.stop().counts()[0].exact(), Ok(7));
    let mut pmu = tcu::Pmu::probe_at(tcu.region()).unwrap();
    let [cycles, ..] = pmu.counters();
    cycles.count(tcu::TcuEvent::ClockCycle);
    let running = pmu.start();
    tcu.clock(8);
    assert_eq!(running.stop().counts()[0].exact(), Ok(8));
    tbu.set_part_number(0x483);
    let refused = tbu::Pmu::probe_at(tbu.region()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Part { found: 0x483, expected: 0x484 });
}
