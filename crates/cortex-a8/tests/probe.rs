//! Identification of a Cortex-A8, and of the permission for User mode.

use arm_pmu_core::bus::BusError;
use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{CortexA8, Cp15Access, Noise, Response};
use cortex_a8::{CortexA8Event, Pmu, UserPmu, is_cortex_a8, registers};

fn reason(device: &CortexA8, main_id: u32) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus(), main_id).err().map(|refused| refused.kind())
}

#[test]
fn one_part_number_of_all_is_a_cortex_a8() {
    let device = CortexA8::new();
    for part in 0..=0xFFF {
        let main_id = 0x410F_0000 | part << 4;
        let expected = part == 0xC08;
        assert_eq!(is_cortex_a8(main_id), expected, "{part:#x}");
        let refused = (!expected).then_some(ProbeErrorKind::Processor { main_id });
        assert_eq!(reason(&device, main_id), refused);
    }
    assert_eq!(registers::MAIN_ID_PART, 0xC08);
}

#[test]
fn every_variant_and_revision_is_accepted() {
    for variant in 0..=0xF {
        for revision in 0..=0xF {
            let main_id = CortexA8::MIDR & !0x00F0_000F | variant << 20 | revision;
            assert!(is_cortex_a8(main_id), "{main_id:#x}");
        }
    }
}

#[test]
fn the_same_part_number_of_another_implementer_is_another_processor() {
    let device = CortexA8::new();
    for implementer in (0..=0xFF).filter(|implementer| *implementer != 0x41) {
        let main_id = CortexA8::MIDR & 0x00FF_FFFF | implementer << 24;
        assert!(!is_cortex_a8(main_id), "{main_id:#x}");
        assert_eq!(reason(&device, main_id), Some(ProbeErrorKind::Processor { main_id }));
    }
    assert_eq!(device.journal(), [], "another processor is left alone");
}

#[test]
fn another_number_of_counters_is_refused() {
    let device = CortexA8::new();
    for found in 0..=0x1F {
        device.set_number_of_counters(found);
        let refused = (found != 4).then_some(ProbeErrorKind::Counters { found, expected: 4 });
        assert_eq!(reason(&device, CortexA8::MIDR), refused);
    }
}

#[test]
fn a_fault_is_no_number_of_counters() {
    let device = CortexA8::new();
    device.set_response(Response::Error);
    assert_eq!(reason(&device, CortexA8::MIDR), Some(ProbeErrorKind::BusError(BusError::new())));
    // A privileged probe from User mode without permission gives the same error.
    let device = CortexA8::new();
    let refused = Pmu::probe(device.user_bus(), CortexA8::MIDR).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::BusError(BusError::new()));
}

/// Whether there are no writes among what was done.
fn only_reads(device: &CortexA8) -> bool {
    device.journal().iter().all(|access| matches!(access, Cp15Access::Load { .. }))
}

#[test]
fn probing_only_reads_and_gives_the_bus_back() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
        let device = CortexA8::new();
        device.power_up_with(noise);
        device.set_number_of_counters(2);
        let refused = Pmu::probe(device.bus(), CortexA8::MIDR).unwrap_err();
        assert_eq!(refused.to_string(), "2 counters, expected 4");
        device.set_number_of_counters(4);
        let refused = Pmu::probe(refused.into_bus(), 0x410F_B767).unwrap_err();
        let text = "another processor: its Main ID Register reads 0x410fb767 (ARM1176: use arm11::arm1176::Pmu)";
        assert_eq!(refused.to_string(), text);
        let mut pmu = Pmu::probe(refused.into_bus(), CortexA8::MIDR).unwrap();
        assert!(only_reads(&device));
        let [first, ..] = pmu.counters();
        first.count(CortexA8Event::L2CacheAccess);
        let running = pmu.start();
        device.signal_raw(0x43, 3);
        assert_eq!(running.stop().counts()[0].exact(), Ok(3), "the bus can be used");
    }
}

#[test]
fn user_mode_detects_missing_permission_without_an_undefined_instruction() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
        let device = CortexA8::new();
        device.power_up_with(noise);
        device.set_user_access(false);
        let refused = UserPmu::open(device.user_bus()).unwrap_err();
        assert_eq!(refused.kind(), ProbeErrorKind::UserModeClosed);
        assert!(only_reads(&device));
        device.set_user_access(true);
        // After an Undefined Instruction exception, the bus would answer no access.
        let pmu = UserPmu::open(refused.into_bus()).unwrap();
        assert_eq!(pmu.interference(), None);
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn user_mode_tells_a_fault_from_a_closed_pmu() {
    let device = CortexA8::new();
    device.set_response(Response::Error);
    let refused = UserPmu::open(device.user_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::BusError(BusError::new()));
}
