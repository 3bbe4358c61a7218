//! Diagnosis tests: each state of a core leads to exactly one finding.

use super::{COUNTERS, Device, IDENTITY, OTHERS, product};
use crate::{MDCR_EL2, PMCCFILTR, PMCR, el0};
use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::diagnose::Diagnosis;
use arm_pmu_sim::{ExceptionLevel, SysregAccess, SysregBus, SysregViolation, ignoring_stores};
use product::{Diagnose, EventOrCycles, Finding, Pmu, Selection, Space, UserPmu};

/// An event that every core has: access to the level 1 data cache.
const EVENT: Selection = Selection::from_id(0x04).unwrap();

/// Code of the event for executed instructions.
const INSTRUCTION: u16 = 0x08;

const EXPECTED: Option<EventOrCycles<Selection>> = Some(EventOrCycles::Event(EVENT));

/// Registers of counter 2, which no trial selects.
const PMEVTYPER2: SystemRegister = el0(14, 12, 2);
const PMEVCNTR2: SystemRegister = el0(14, 8, 2);

fn work(device: &Device) {
    device.signal_raw(INSTRUCTION, 50);
    device.signal_raw(0x04, 10);
    device.clock(100);
}

fn findings(diagnosis: &Diagnosis<Finding>) -> Vec<Finding> {
    diagnosis.findings().map(|found| found.finding).collect()
}

fn diagnose(
    device: &Device,
    pmu: &mut Pmu<SysregBus<'_, Space>>,
    expected: Option<EventOrCycles<Selection>>,
) -> Vec<Finding> {
    findings(&pmu.diagnose_with(expected, || work(device)))
}

/// Values of all registers, read without a bus access.
fn registers(device: &Device) -> Vec<u64> {
    let elements = |row: &arm_pmu_sim::SysregRegister| {
        let first = row.register;
        (0..row.count).map(move |element| first.plus(element))
    };
    Device::REGISTERS.iter().flat_map(elements).map(|register| device.peek(register)).collect()
}

#[test]
fn another_processor_is_found_by_its_identification() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    for identity in OTHERS {
        let diagnosis = pmu.diagnose_processor(identity, None, || work(&device));
        assert_eq!(findings(&diagnosis), [Finding::AnotherProcessor]);
    }
    assert_eq!(device.journal(), [], "nothing is tried");
    assert_eq!(findings(&pmu.diagnose_processor(IDENTITY, None, || work(&device))), []);
}

#[test]
fn el0_without_permission_is_found_without_an_exception() {
    let device = Device::new();
    device.set_user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, || work(&device))), []);
    device.set_user_access(false);
    let diagnosis = pmu.diagnose_with(EXPECTED, || work(&device));
    assert_eq!(findings(&diagnosis), [Finding::UserModeClosed]);
    device.set_user_access(true);
    let diagnosis = pmu.diagnose_with(EXPECTED, || work(&device));
    assert_eq!(findings(&diagnosis), [], "no access was refused meanwhile");
    // A driver for EL1 or above, on an EL0 bus.
    device.set_user_access(false);
    let mut pmu = Pmu::new(device.user_bus());
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::NoAccess]);
}

const CURRENT_EL: SystemRegister = SystemRegister { op0: 3, op1: 0, crn: 4, crm: 2, op2: 2 };
const FEATURES: SystemRegister = SystemRegister { op0: 3, op1: 0, crn: 0, crm: 4, op2: 0 };
const MDCR_EL3: SystemRegister = SystemRegister { op0: 3, op1: 6, crn: 1, crm: 3, op2: 1 };
const SPME: u64 = 1 << 17;

/// A simulated device at this level, with one changed register.
fn at(level: ExceptionLevel, register: SystemRegister, value: u64) -> Device {
    let device = Device::new();
    device.set_level(level);
    device.poke(register, value);
    device
}

/// Returns the findings with their values. Checks that the diagnosis caused no violations except
/// reserved events.
fn values(device: &Device) -> Vec<(Finding, u32)> {
    device.clear_violations();
    let (before, controls) = (registers(device), [MDCR_EL2, MDCR_EL3].map(|of| device.peek(of)));
    let diagnosis = Pmu::new(device.bus()).diagnose_with(EXPECTED, || work(device));
    assert_eq!([MDCR_EL2, MDCR_EL3].map(|of| device.peek(of)), controls);
    assert_eq!(registers(device), before);
    let is_forbidden = |of: &SysregViolation| !matches!(of, SysregViolation::ReservedEvent { .. });
    assert!(!device.violations().iter().any(is_forbidden));
    diagnosis.findings().map(|found| (found.finding, found.value)).collect()
}

#[test]
fn el3_finds_its_own_prohibition() {
    let device = at(ExceptionLevel::El3, MDCR_EL3, 0);
    assert_eq!(values(&device), [(Finding::ProhibitedAtEl3, 0)]);
    assert!(!Finding::ProhibitedAtEl3.is_ambiguous());
    // MDCR_EL3 permits counting, so the pins of the core must prohibit it.
    let device = at(ExceptionLevel::El3, MDCR_EL3, SPME);
    assert_eq!(values(&device), []);
    device.set_counting_permitted(false);
    assert_eq!(values(&device), [(Finding::CountingProhibited, 0)]);
    // EL1 cannot read the bit of MDCR_EL3 that prohibits counting.
    let device = at(ExceptionLevel::SecureEl1, MDCR_EL3, 0);
    assert_eq!(values(&device), [(Finding::CountingProhibited, 0)]);
    let device = at(ExceptionLevel::NonSecureEl1, MDCR_EL3, 0);
    assert_eq!(values(&device), []);
    // Since PMUv3p7.
    for (mpmx, spme, found) in [(1, 1, 0b11), (1, 0, 0b10)] {
        let device = at(ExceptionLevel::El3, MDCR_EL3, (mpmx << 35) | (spme << 17));
        if device.peek(MDCR_EL3) >> 35 == mpmx {
            assert_eq!(values(&device), [(Finding::ProhibitedAtEl3, found)]);
        }
    }
}

#[test]
fn el2_finds_its_own_prohibition() {
    let hpmd = 1 << 17 | COUNTERS as u64;
    for (level, found) in [
        (ExceptionLevel::El2, &[(Finding::ProhibitedAtEl2, 1)][..]),
        (ExceptionLevel::NonSecureEl1, &[]),
        (ExceptionLevel::El3, &[]),
    ] {
        let device = at(level, MDCR_EL2, hpmd);
        // PMUv3 without extensions has no HPMD.
        let is_there = device.peek(MDCR_EL2) == hpmd;
        assert_eq!(values(&device), if is_there { found } else { &[] }, "{level:?}");
    }
}

#[test]
fn cycle_counter_stopped_by_el2_or_el3_is_found() {
    let all = COUNTERS as u64;
    for (level, register, value) in [
        (ExceptionLevel::El2, MDCR_EL2, 1 << 23 | all),
        (ExceptionLevel::El3, MDCR_EL3, 1 << 23 | SPME),
        (ExceptionLevel::El3, MDCR_EL3, 1 << 34 | SPME),
        (ExceptionLevel::El3, MDCR_EL3, 1 << 34 | 1 << 23 | SPME),
    ] {
        let device = at(level, register, value);
        // HCCD and SCCD (bit 23) exist since PMUv3p5, MCCD (bit 34) exists since PMUv3p7.
        let held = device.peek(register);
        let found = (held >> 34 & 1) << 1 | held >> 23 & 1;
        let found = (Finding::CycleCounterDisabled, found as u32);
        let expected: &[_] = if found.1 != 0 { &[found] } else { &[] };
        assert_eq!(values(&device), expected, "{value:#x}");
        // The core waits.
        let diagnosis = Pmu::new(Device::new().bus()).diagnose_with(EXPECTED, || {});
        assert_eq!(findings(&diagnosis), [Finding::ClockStandsStill]);
    }
    // Secure EL1 cannot read MDCR_EL3.
    let device = at(ExceptionLevel::SecureEl1, MDCR_EL3, 1 << 23 | SPME);
    let is_there = device.peek(MDCR_EL3) != SPME;
    let expected: &[_] = if is_there { &[(Finding::ClockStandsStill, 0)] } else { &[] };
    assert_eq!(values(&device), expected);
}

#[test]
fn counters_reserved_for_el2_are_found() {
    let all = COUNTERS as u64;
    for level in [ExceptionLevel::El2, ExceptionLevel::El3] {
        for hpmn in 0..=all {
            for hpme in [0, 1 << 7] {
                let device = at(level, MDCR_EL2, hpmn | hpme);
                let reserved = (Finding::ReservedForEl2, hpmn as u32);
                let expected = if hpmn < all { vec![reserved] } else { vec![] };
                assert_eq!(values(&device), expected, "{level:?}");
            }
        }
        // The diagnosis also reports a second cause.
        let device = at(level, MDCR_EL2, 2);
        device.set_counting_permitted(false);
        let both = [(Finding::ReservedForEl2, 2), (Finding::CountingProhibited, 0)];
        assert_eq!(values(&device), both);
    }
    // At EL1, PMCR_EL0.N shows the smaller number of counters.
    let device = at(ExceptionLevel::NonSecureEl1, MDCR_EL2, 3);
    assert_eq!(values(&device), [(Finding::Counters, 3)]);
    // The finding explains why the last counter does not count.
    let device = at(ExceptionLevel::El2, MDCR_EL2, all - 1);
    let mut pmu = Pmu::new(device.bus());
    let [first, .., last] = pmu.counters();
    first.count(EVENT);
    last.count(EVENT);
    let running = pmu.start();
    work(&device);
    let pmu = running.stop();
    let [first, .., last] = pmu.counts().map(|count| count.exact());
    assert_eq!((first, last), (Ok(10), Ok(0)));
}

/// Reading a register that the level cannot access would raise an exception.
#[test]
fn each_level_reads_only_its_registers() {
    let read = |device: &Device, diagnose: &dyn Fn()| {
        device.clear_journal();
        diagnose();
        let is_control = |access: &SysregAccess| match access {
            SysregAccess::Load { register, .. } => {
                Some(*register).filter(|of| Device::CONTROLS.iter().any(|row| row.register == *of))
            }
            _ => None,
        };
        let mut read: Vec<_> = device.journal().iter().filter_map(is_control).collect();
        read.dedup();
        read
    };
    let all = [CURRENT_EL, FEATURES, MDCR_EL2, MDCR_EL3];
    for (level, features, expected) in [
        (ExceptionLevel::NonSecureEl0, 0x1111, &all[..1]),
        (ExceptionLevel::SecureEl1, 0x1111, &all[..1]),
        (ExceptionLevel::NonSecureEl1, 0x1111, &all[..1]),
        (ExceptionLevel::El2, 0x1111, &[CURRENT_EL, MDCR_EL2]),
        (ExceptionLevel::El3, 0x1111, &all),
        (ExceptionLevel::El3, 0x1011, &[CURRENT_EL, FEATURES, MDCR_EL3]),
    ] {
        let device = at(level, FEATURES, features);
        assert_eq!(read(&device, &|| assert_eq!(values(&device), [])), expected, "{level:?}");
        device.set_user_access(true);
        let user = || {
            let mut pmu = UserPmu::open(device.user_bus()).unwrap();
            assert_eq!(findings(&pmu.diagnose_with(EXPECTED, || work(&device))), []);
        };
        assert_eq!(read(&device, &user), [], "EL0 can access none of these registers");
    }
}

#[test]
fn a_trap_to_el2_or_el3_is_found() {
    let tpm = 1 << 6;
    let all = COUNTERS as u64;
    for (level, register, value, is_trapped) in [
        (ExceptionLevel::NonSecureEl1, MDCR_EL2, tpm | all, true),
        (ExceptionLevel::NonSecureEl1, MDCR_EL2, 1 << 5 | all, true),
        (ExceptionLevel::El2, MDCR_EL2, tpm | all, false),
        (ExceptionLevel::NonSecureEl1, MDCR_EL3, tpm | SPME, true),
        (ExceptionLevel::El2, MDCR_EL3, tpm | SPME, true),
        (ExceptionLevel::El3, MDCR_EL3, tpm | SPME, false),
    ] {
        let device = at(level, register, value);
        let expected: &[_] = if is_trapped { &[(Finding::NoAccess, 0)] } else { &[] };
        assert_eq!(values(&device), expected, "{level:?} {value:#x}");
    }
}

/// The result does not depend on the events and counts left in the counters.
#[test]
fn ignored_writes_to_one_register_are_found() {
    for to in [PMEVTYPER2, PMEVCNTR2, PMCCFILTR] {
        for event in [u32::from(INSTRUCTION), 0x11, 0x04] {
            let device = Device::new();
            for counter in 0..COUNTERS {
                device.other_owner_filters(counter, event);
                device.poke_counter(counter, 0);
            }
            device.other_owner_filters_cycles(0);
            let before = registers(&device);
            let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
            let diagnosis = pmu.diagnose_with(None, || work(&device));
            assert_eq!(findings(&diagnosis), [Finding::WritesIgnored], "{to:?} {event:#x}");
            assert_eq!(registers(&device), before);
        }
    }
}

#[test]
fn another_owner_is_found() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    for meddle in [
        Device::other_owner_disables_all,
        Device::other_owner_disables_cycles,
        |device: &Device| device.other_owner_disables(1),
        // Without this check, a reprogrammed instruction counter would look like an emulator
        // without instruction counts.
        |device: &Device| device.other_owner_selects(0, 0x44),
        |device: &Device| device.other_owner_selects(1, 0x44),
        |device: &Device| device.other_owner_filters(0, u32::from(INSTRUCTION)),
        |device: &Device| device.other_owner_filters_cycles(1 << 31),
        // The controls LC and DP of the cycle counter.
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 6),
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 5),
    ] {
        let diagnosis = pmu.diagnose_with(EXPECTED, || {
            work(&device);
            meddle(&device);
        });
        assert_eq!(findings(&diagnosis), [Finding::EnableLost]);
    }
}
