//! Tests how the driver identifies each core, and how it checks User mode permission.

use super::*;

const EXPECTED: u8 = COUNTERS as u8;

fn reason(device: &Device, main_id: u32) -> Option<ProbeErrorKind> {
    Pmu::probe(device.bus(), main_id).err().map(|refused| refused.kind())
}

#[test]
fn only_one_part_number_identifies_the_product() {
    let device = Device::new();
    let implementers = (0..=0xFF).map(|implementer| implementer << 24 | Device::MIDR & 0x00FF_FFFF);
    let parts = (0..=0xFFF).map(|part| 0x410F_0000 | part << 4);
    for main_id in implementers.chain(parts) {
        let expected = main_id >> 24 == 0x41 && main_id >> 4 & 0xFFF == PART;
        assert_eq!(is_product(main_id), expected, "{main_id:#x}");
        let refused = (!expected).then_some(ProbeErrorKind::Processor { main_id });
        device.clear_journal();
        assert_eq!(reason(&device, main_id), refused);
        assert_eq!(device.journal().is_empty(), !expected, "another processor is not accessed");
    }
    assert_eq!(u32::from(MAIN_ID_PART), PART);
}

#[test]
fn another_number_of_counters_is_refused() {
    let device = Device::new();
    for found in 0..=0x1F {
        device.set_number_of_counters(found);
        let refused =
            (found != EXPECTED).then_some(ProbeErrorKind::Counters { found, expected: EXPECTED });
        assert_eq!(reason(&device, Device::MIDR), refused);
    }
}

#[test]
fn a_failed_read_is_a_bus_error() {
    let device = Device::new();
    device.set_response(Response::Error);
    assert_eq!(reason(&device, Device::MIDR), Some(ProbeErrorKind::BusError(BusError::new())));
    // A probe by a privileged driver, from User mode without permission, returns the same error.
    let device = Device::new();
    let refused = Pmu::probe(device.user_bus(), Device::MIDR).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::BusError(BusError::new()));
}

/// Whether all accesses were reads.
fn only_reads(device: &Device) -> bool {
    device.journal().iter().all(|access| matches!(access, Cp15Access::Load { .. }))
}

#[test]
fn probe_only_reads_and_returns_the_bus() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
        let device = Device::new();
        device.power_up_with(noise);
        device.set_number_of_counters(2);
        let refused = Pmu::probe(device.bus(), Device::MIDR).unwrap_err();
        assert_eq!(refused.to_string(), format!("2 counters, expected {EXPECTED}"));
        device.set_number_of_counters(EXPECTED);
        let refused = Pmu::probe(refused.into_bus(), 0x410F_B767).unwrap_err();
        let text = "another processor: its Main ID Register reads 0x410fb767 (ARM1176: use arm11::arm1176::Pmu)";
        assert_eq!(refused.to_string(), text);
        let mut pmu = Pmu::probe(refused.into_bus(), Device::MIDR).unwrap();
        assert!(only_reads(&device));
        let [first, ..] = pmu.counters();
        first.count(ACCESSES);
        let running = pmu.start();
        device.signal_raw(0x04, 3);
        assert_eq!(running.stop().counts()[0].exact(), Ok(3), "the bus can be used");
    }
}

#[test]
fn user_mode_probes_permission_without_exception() {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1)] {
        let device = Device::new();
        device.power_up_with(noise);
        device.set_user_access(false);
        let refused = UserPmu::open(device.user_bus()).unwrap_err();
        assert_eq!(refused.kind(), ProbeErrorKind::UserModeClosed);
        assert!(only_reads(&device));
        device.set_user_access(true);
        // After an Undefined Instruction exception, the bus would not answer any access.
        let pmu = UserPmu::open(refused.into_bus()).unwrap();
        assert_eq!(pmu.interference(), None);
        assert_eq!(device.violations(), []);
    }
}

#[test]
fn user_mode_distinguishes_faults_from_a_closed_pmu() {
    let device = Device::new();
    device.set_response(Response::Error);
    let refused = UserPmu::open(device.user_bus()).unwrap_err();
    assert_eq!(refused.kind(), ProbeErrorKind::BusError(BusError::new()));
}
