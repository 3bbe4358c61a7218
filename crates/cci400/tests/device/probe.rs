//! Identification of a CCI-400 and its revision.

use arm_pmu_core::bus::BusError;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{Cci400, Strict};
use cci400::{Bus, Pmu, Probed, probe, r0};

fn reason(device: &Cci400) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus()).err().map(|refused| refused.kind())
}

#[test]
fn each_revision_gets_its_driver() {
    let device = Strict::new(Cci400::new());
    for code in 0..=15 {
        device.set_revision(code);
        let of_r0 = matches!(probe(device.bus()), Ok(Probed::R0(_)));
        let of_r1 = matches!(probe(device.bus()), Ok(Probed::R1(_)));
        assert_eq!((of_r0, of_r1), (code < 5, code >= 5), "{code}");
        let refused = r0::Pmu::probe(device.bus()).err().map(|refused| refused.kind());
        let kind = ProbeErrorKind::Revision { part: 0x420, found: code };
        assert_eq!((refused, reason(&device)), (of_r1.then_some(kind), of_r0.then_some(kind)));
        let driver = if of_r1 { "cci400::Pmu" } else { "cci400::r0::Pmu" };
        assert_eq!((kind.product(), kind.driver()), (Some("CCI-400"), Some(driver)));
        assert!(kind.to_string().ends_with(&format!("; use {driver}")), "{kind}");
        let shown = format!("{:?}", probe(device.bus()).unwrap());
        assert!(shown.starts_with(if of_r0 { "R0(Pmu" } else { "R1(Pmu" }), "{shown}");
    }
    device.set_part_number(0x423);
    let refused = probe(device.bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Part { found: 0x423, expected: 0x420 });
    device.set_part_number(0x420);
    device.set_number_of_counters(8);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Counters { found: 8, expected: 4 }));
}

#[test]
fn unreadable_revision_is_not_revision_0() {
    let device = Strict::new(Cci400::new());
    device.poke(0xFE8, 0);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Unidentified));
    assert_eq!(probe(device.bus()).unwrap_err().kind(), ProbeErrorKind::Unidentified);
    assert_eq!(r0::Pmu::probe(device.bus()).unwrap_err().kind(), ProbeErrorKind::Unidentified);
}

#[test]
fn non_secure_software_gets_an_unidentified_product() {
    let device = Strict::new(Cci400::new());
    let refused = Pmu::probe(device.non_secure_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Unidentified);
    let mut secure = Pmu::new(device.bus());
    secure.registers().secure_access().write(|w| w.non_secure_register_access_override().set_bit());
    secure.release().synchronize();
    assert!(Pmu::probe(refused.into_bus()).is_ok());
    // If the device is set to answer refused accesses with an error, `probe` gets a bus error.
    let device = Strict::new(Cci400::new());
    device.set_refusals_fail(true);
    let refused = Pmu::probe(device.non_secure_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::BusError(BusError::new()));
}
