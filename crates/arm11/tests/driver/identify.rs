//! Identification of the core by its Main ID Register.

use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{Arm11, Cp15Access};
use arm11::{Bus, Processor, arm1136, arm1156, arm1176, identify};

/// Returns a Main ID Register with this implementer and part number; `other` sets the other fields.
fn main_id(implementer: u32, part: u32, other: u32) -> u32 {
    implementer << 24 | other & 0x00FF_000F | part << 4
}

#[test]
fn only_three_part_numbers_of_one_implementer_are_known() {
    for part in 0..=0xFFF {
        let expected = match part {
            0xB36 => Some(Processor::Arm1136),
            0xB56 => Some(Processor::Arm1156),
            0xB76 => Some(Processor::Arm1176),
            _ => None,
        };
        // The variant, architecture and revision fields do not matter.
        for other in [0, u32::MAX, 0x000F_0007, 0x0017_0000] {
            assert_eq!(identify(main_id(0x41, part, other)), expected, "{part:#x}");
            for implementer in (0..8).map(|bit| 0x41 ^ 1 << bit).chain([0, 0xFF]) {
                assert_eq!(identify(main_id(implementer, part, other)), None, "{part:#x}");
            }
        }
    }
    let device = Arm11::arm1176();
    let other = main_id(0x56, 0xB76, 0x000F_0000);
    let refused = arm1176::Pmu::probe(device.bus(), other).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Processor { main_id: other });
}

#[test]
fn only_its_driver_accepts_a_core() {
    for device in [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()] {
        let processor = identify(device.midr());
        let taken = [
            arm1136::Pmu::probe(device.bus(), device.midr()).is_ok(),
            arm1156::Pmu::probe(device.bus(), device.midr()).is_ok(),
            arm1176::Pmu::probe(device.bus(), device.midr()).is_ok(),
        ];
        let expected = [Processor::Arm1136, Processor::Arm1156, Processor::Arm1176];
        assert_eq!(taken, expected.map(|expected| processor == Some(expected)));
        assert_eq!(device.journal(), [], "nothing was accessed");
    }
}

#[test]
fn a_refusal_returns_the_bus() {
    let device = Arm11::arm1176();
    let refused = arm1136::Pmu::probe(device.bus(), device.midr()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::Processor { main_id: 0x410F_B760 });
    let bus = refused.into_bus();
    bus.synchronize();
    assert_eq!(device.journal(), [Cp15Access::Synchronize]);
    assert!(arm1176::Pmu::probe(bus, device.midr()).is_ok());
}
