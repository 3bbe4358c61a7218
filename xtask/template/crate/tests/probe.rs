//! Identification of a SKELETON IP.

use arm_pmu_sim::{Response, SkeletonIp};
use arm_pmu_core::bus::BusError;
use arm_pmu_core::driver::ProbeErrorKind;
use skeleton_ip::Pmu;

fn reason(device: &SkeletonIp) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus()).err().map(|refused| refused.kind())
}

#[test]
fn other_devices_are_distinguished() {
    let device = SkeletonIp::new();
    assert_eq!(reason(&device), None);
    device.poke(0xFE0, 0x98);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Part { found: 0x998, expected: 0x999 }));
    device.power_up();
    device.poke(0x000, 3 << 11);
    assert_eq!(reason(&device), Some(ProbeErrorKind::Counters { found: 3, expected: 2 }));
    device.set_response(Response::Zero);
    assert_eq!(reason(&device), Some(ProbeErrorKind::ReadsAsZero));
    device.set_response(Response::Error);
    assert_eq!(reason(&device), Some(ProbeErrorKind::BusError(BusError::new())));
}
