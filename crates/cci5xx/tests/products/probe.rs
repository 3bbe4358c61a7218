//! Tests how the driver identifies the product that the enclosing module names.

use super::{Device, product};
use arm_pmu_core::bus::BusError;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{Response, Strict};
use product::{Bus as _, Pmu};

const PART: u16 = Device::PART_NUMBER;
const OTHER: u16 = PART ^ 1;

fn reason(device: &Device) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus()).err().map(|refused| refused.kind())
}

#[test]
fn probe_accepts_only_the_product() {
    assert_eq!(reason(&Strict::new(Device::new())), None);
}

#[test]
fn other_devices_are_distinguished() {
    let device = Strict::new(Device::new());
    device.set_part_number(OTHER);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Part { found: OTHER, expected: PART }));
    device.set_part_number(PART);
    device.set_number_of_counters(4);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Counters { found: 4, expected: 8 }));
    device.set_number_of_counters(8);
    device.set_response(Response::Zero);
    assert_eq!(reason(&device), Some(ProbeErrorKind::ReadsAsZero));
    device.set_response(Response::Ones);
    assert_eq!(reason(&device), Some(ProbeErrorKind::ReadsAsOnes));
    device.set_response(Response::Error);
    assert_eq!(reason(&device), Some(ProbeErrorKind::BusError(BusError::new())));
}

#[test]
fn non_secure_software_gets_an_unidentified_product() {
    let device = Strict::new(Device::new());
    let refused = Pmu::probe(device.non_secure_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Unidentified);
    // The error returns the bus, so the caller can use `new`.
    let bus = refused.into_bus();
    let mut pmu = Pmu::new(bus);
    assert_eq!(pmu.registers().pmcr().read().pmu_cnt_num().bits(), 8);
    // Secure firmware permits access to the registers.
    let mut secure = Pmu::new(device.bus());
    secure
        .registers()
        .secure_access()
        .modify(|_, w| w.non_secure_register_access_override().set_bit());
    secure.release().synchronize();
    assert!(Pmu::probe(device.non_secure_bus()).is_ok());
    // Secure firmware also forbids access to the PMU.
    let mut secure = Pmu::new(device.bus());
    secure.registers().secure_access().write(|w| w.debug_monitor_security_override().set_bit());
    secure.release().synchronize();
    let refused = Pmu::probe(device.non_secure_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::ReadsAsZero);
}
