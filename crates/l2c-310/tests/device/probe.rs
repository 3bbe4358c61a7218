//! Identification of an L2C-310.

use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::L2c310;
use l2c_310::Pmu;

fn reason(device: &L2c310) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus()).err().map(|refused| refused.kind())
}

#[test]
fn other_devices_are_distinguished() {
    let device = L2c310::new();
    assert_eq!(reason(&device), None);
    for release in 0..0x40 {
        device.poke(0x000, 0x4100_FCC0 | release);
        assert_eq!(reason(&device), None);
    }
    let expected = 0x413;
    for (id, found) in [(0x4100_0080, 0x412), (0x4100_0040, 0x411), (0x4200_00C8, 0x423), (0xC8, 3)]
    {
        device.poke(0x000, id);
        assert_eq!(reason(&device), Some(ProbeErrorKind::Part { found, expected }));
    }
}
