//! Tests how the driver identifies the product that the enclosing module names.

use super::{Device, product};
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::Strict;
use product::{Bus as _, Pmu};

#[test]
fn another_product_is_refused() {
    let device = Strict::new(Device::new());
    let kind = || Pmu::probe(device.bus()).map(drop).map_err(|refused| refused.kind());
    device.set_number_of_counters(4);
    assert_eq!(kind(), Err(ProbeErrorKind::Counters { found: 4, expected: 8 }));
    let (found, expected) = (Device::PART_NUMBER ^ 1, Device::PART_NUMBER);
    device.set_part_number(found);
    assert_eq!(kind(), Err(ProbeErrorKind::Part { found, expected }));
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
