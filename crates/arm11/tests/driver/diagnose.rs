//! Diagnosis tests: each state of an ARM11 core leads to exactly one finding.

use arm_pmu_core::bus::Operands;
use arm_pmu_core::diagnose::Diagnosis;
use arm_pmu_sim::{
    Arm11, Attempt, Cp15Access, Cp15Bus, Effect, FlagsClear, Intercepted, Violation,
};
use arm11::{
    Arm1136, Arm1156, Arm1176, Bus, Core, Diagnose, Event, EventOrCycles, Pmu, Space, arm1136,
    arm1176,
};

const fn c15(opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm: 12, opc2 }
}

const CONTROL: Operands = c15(0);

/// A branch.
fn expected<C: Core>() -> Option<EventOrCycles<C::Selection>> {
    C::Event::from_code(0x05).map(|event| EventOrCycles::Event(C::Selection::from(event)))
}

/// Executes instructions, some of which are branches.
fn work(device: &Arm11) {
    device.clock(100);
    device.signal_raw(0x07, 50);
    device.signal_raw(0x05, 10);
}

/// Returns the names of the findings, which are the same on all cores.
fn names<F: arm_pmu_core::diagnose::Finding>(diagnosis: &Diagnosis<F>) -> Vec<&'static str> {
    diagnosis.findings().map(|found| found.finding.name()).collect()
}

fn diagnose<C: Core>(
    device: &Arm11,
    pmu: &mut Pmu<C, Cp15Bus<'_, Space>>,
    expected: Option<EventOrCycles<C::Selection>>,
) -> Vec<&'static str> {
    names(&pmu.diagnose_with(expected, || work(device)))
}

/// Checks that a diagnosis has the same findings with and without an expected event, and returns the findings.
fn found<C: Core>(device: &Arm11) -> Vec<&'static str> {
    let mut pmu = Pmu::<C, _>::new(device.bus());
    let with = diagnose(device, &mut pmu, expected::<C>());
    assert_eq!(diagnose(device, &mut pmu, None), with);
    with
}

#[test]
fn unobserved_secure_software_is_found() {
    let device = Arm11::arm1176();
    device.set_secure(true);
    assert_eq!(found::<Arm1176>(&device), ["SECURE_NOT_OBSERVED"]);
    device.set_secure_stops_cycles(true);
    assert_eq!(found::<Arm1176>(&device), ["COUNTERS_STAND_STILL"], "as in Debug state");
    device.set_secure_observed(true);
    assert_eq!(found::<Arm1176>(&device), [""; 0]);
    let names: Vec<_> = arm1136::Finding::ALL.iter().map(|finding| finding.name()).collect();
    assert!(!names.contains(&"SECURE_NOT_OBSERVED") && names.contains(&"NO_ACCESS"));
}

#[test]
fn user_mode_without_permission_is_found() {
    let device = Arm11::arm1176();
    let mut pmu = arm1176::Pmu::new(device.user_bus());
    assert_eq!(diagnose(&device, &mut pmu, None), ["USER_MODE_CLOSED"]);
    device.set_user_access(true);
    let mut pmu = arm1176::Pmu::new(device.user_bus());
    assert_eq!(diagnose(&device, &mut pmu, None), [""; 0]);
    for device in [Arm11::arm1136(), Arm11::arm1156()] {
        let mut pmu = arm1136::Pmu::new(device.user_bus());
        assert_eq!(diagnose(&device, &mut pmu, None), ["NO_ACCESS"]);
    }
    assert!(arm1136::Finding::NoAccess.is_ambiguous());
}

#[test]
fn ignored_writes_are_found() {
    let devices = [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()];
    for device in &devices {
        device.poke(CONTROL, 0x07 << 20 | 0x07 << 12);
        device.set_stores_ignored(true);
    }
    assert_eq!(found::<Arm1136>(&devices[0]), ["WRITES_IGNORED"]);
    assert_eq!(found::<Arm1156>(&devices[1]), ["WRITES_IGNORED"]);
    assert_eq!(found::<Arm1176>(&devices[2]), ["WRITES_IGNORED"]);
}

#[test]
fn another_processor_is_found_by_its_main_id() {
    let device = Arm11::arm1176();
    let mut pmu = arm1136::Pmu::new(device.bus());
    device.clear_journal();
    let diagnosis = pmu.diagnose_processor(device.midr(), None, || work(&device));
    assert_eq!(names(&diagnosis), ["ANOTHER_PROCESSOR"]);
    assert_eq!(diagnosis.findings().next().map(|found| found.value), Some(device.midr()));
    assert_eq!(device.journal(), [], "nothing is tried");
    for main_id in [0x413F_C080, 0x560F_B767] {
        let mut pmu = arm1176::Pmu::new(device.bus());
        let diagnosis = pmu.diagnose_processor(main_id, None, || work(&device));
        assert_eq!(names(&diagnosis), ["ANOTHER_PROCESSOR"]);
    }
    let mut pmu = arm1176::Pmu::new(device.bus());
    let diagnosis = pmu.diagnose_processor(device.midr(), None, || work(&device));
    assert_eq!(names(&diagnosis), [""; 0]);
}

#[test]
fn late_acknowledgement_is_found() {
    for clears in [FlagsClear::IfEnabledThroughout, FlagsClear::IfEnabledBefore] {
        // One bit for each counter, the cycle counter last.
        for up in 1..8 {
            let device = Arm11::arm1176();
            device.set_flags_clear(clears);
            let bus = device.bus();
            let events = 0x07 << 20 | 0x05 << 12;
            bus.mcr(CONTROL, events | 1);
            for (bit, counter) in [c15(2), c15(3), c15(1)].into_iter().enumerate() {
                bus.mcr(counter, if up >> bit & 1 == 1 { u32::MAX } else { 0 });
            }
            bus.synchronize();
            work(&device);
            bus.mcr(CONTROL, events);
            bus.mcr(CONTROL, events | 0x700);
            bus.synchronize();
            let mut pmu = arm1176::Pmu::new(device.bus());
            let diagnosis = pmu.diagnose_with(None, || work(&device));
            assert_eq!(names(&diagnosis), ["OVERFLOW_NOT_ACKNOWLEDGED"]);
            assert_eq!(diagnosis.findings().next().map(|found| found.value), Some(up));
            pmu.acknowledge_all();
            assert_eq!(diagnose(&device, &mut pmu, None), [""; 0]);
        }
    }
}

#[test]
fn an_emulator_without_events_is_found() {
    fn found<C: Core>(device: &Arm11) -> Vec<&'static str> {
        // The event counters read as zero.
        let mut pmu = Pmu::<C, _>::new(Intercepted::new(device.bus(), |attempt| match attempt {
            Attempt::Load(key) if [c15(2), c15(3)].contains(&key) => Effect::Replace(0),
            _ => Effect::Proceed,
        }));
        names(&pmu.diagnose_with(expected::<C>(), || work(device)))
    }
    assert_eq!(found::<Arm1136>(&Arm11::arm1136()), ["INSTRUCTIONS_NOT_COUNTED"]);
    assert_eq!(found::<Arm1156>(&Arm11::arm1156()), ["INSTRUCTIONS_NOT_COUNTED"]);
    assert_eq!(
        found::<Arm1176>(&Arm11::arm1176()),
        ["SECURE_NOT_OBSERVED"],
        "both states give the same finding"
    );
}

#[test]
fn no_reserved_event_is_tried() {
    let device = Arm11::arm1136();
    device.poke(CONTROL, 0x05 << 20 | 0x07 << 12);
    device.clear_violations();
    assert_eq!(found::<Arm1136>(&device), [""; 0]);
    assert_eq!(device.violations(), Vec::<Violation>::new());
}

/// Counters are read, written and restored while they do not count, even after a panic.
#[test]
fn no_counter_is_accessed_while_it_counts() {
    for panics in [false, true] {
        let device = Arm11::arm1176();
        device.poke(CONTROL, 0x07 << 20 | 0x05 << 12 | 1);
        let mut pmu = arm1176::Pmu::new(device.bus());
        let diagnose = std::panic::AssertUnwindSafe(|| {
            pmu.diagnose_with(None, || {
                work(&device);
                if panics {
                    std::panic::resume_unwind(Box::new(()));
                }
            })
        });
        assert_eq!(std::panic::catch_unwind(diagnose).is_err(), panics);
        let mut counts = true;
        for access in device.journal() {
            match access {
                Cp15Access::Store { operands: CONTROL, value } => counts = value & 1 == 1,
                Cp15Access::Load { operands: CONTROL, .. } | Cp15Access::Synchronize => {}
                Cp15Access::Load { .. } | Cp15Access::Store { .. } => {
                    assert!(!counts, "{access:?}")
                }
            }
        }
        assert!(counts, "as before");
    }
}
