// Included for each product: `product` is its crate, `Device` its simulated device.

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::diagnose::{Diagnosis, Outcome};
use arm_pmu_sim::{
    ExceptionLevel, Noise, Response, SysregAccess, SysregBus, SysregViolation, ignoring_stores,
};
use product::{Counters, Diagnose, EventOrCycles, Finding, Pmu, Selection, Space, UserPmu};

/// An event that every product has: level 1 data cache, access.
const EVENT: Selection = Selection::from_id(0x04).unwrap();

/// The event of executed instructions.
const INSTRUCTION: u16 = 0x08;

const EXPECTED: Option<EventOrCycles<Selection>> = Some(EventOrCycles::Event(EVENT));

const fn el0(crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 3, crn, crm, op2 }
}

const PMCR: SystemRegister = el0(9, 12, 0);
const PMCNTENSET: SystemRegister = el0(9, 12, 1);
const PMCCNTR: SystemRegister = el0(9, 13, 0);
const PMCCFILTR: SystemRegister = el0(14, 15, 7);
/// Of counter 2, which no trial uses.
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

/// Returns the findings with and without an expected event.
fn found(device: &Device) -> Vec<Finding> {
    let mut pmu = Pmu::new(device.bus());
    let with = diagnose(device, &mut pmu, EXPECTED);
    assert_eq!(diagnose(device, &mut pmu, None), with);
    with
}

/// All registers, without an access.
fn registers(device: &Device) -> Vec<u64> {
    let elements = |row: &arm_pmu_sim::SysregRegister| {
        let first = row.register;
        (0..row.count).map(move |element| first.plus(element))
    };
    Device::REGISTERS.iter().flat_map(elements).map(|register| device.peek(register)).collect()
}

#[test]
fn a_core_that_counts_has_no_finding() {
    let device = Device::new();
    assert_eq!(found(&device), []);
    let mut pmu = Pmu::new(device.bus());
    let diagnosis = pmu.diagnose_processor(IDENTITY, EXPECTED, || work(&device));
    assert_eq!((findings(&diagnosis), diagnosis.outcome()), (vec![], Outcome::Counts));
    let cycles = Some(EventOrCycles::Cycles);
    assert_eq!(diagnose(&device, &mut pmu, cycles), []);
    // What comes in one of the tries only is counted all the same.
    for busy in [1, 2] {
        let mut call = 0;
        let diagnosis = pmu.diagnose_with(EXPECTED, || {
            call += 1;
            if call == busy { work(&device) } else { device.clock(100) }
        });
        assert_eq!(findings(&diagnosis), [], "{busy}");
    }
}

/// The trials count wherever the work runs, whatever the filter of the measurement was.
#[test]
fn the_level_of_the_work_is_no_finding() {
    for level in [
        ExceptionLevel::SecureEl0,
        ExceptionLevel::SecureEl1,
        ExceptionLevel::NonSecureEl0,
        ExceptionLevel::NonSecureEl1,
        ExceptionLevel::El2,
        ExceptionLevel::El3,
    ] {
        let device = Device::new();
        device.set_level(level);
        assert_eq!(found(&device), [], "{level:?}");
    }
}

#[test]
fn prohibited_counting_is_certain() {
    let device = Device::new();
    device.set_counting_permitted(false);
    assert_eq!(found(&device), [Finding::CountingProhibited]);
    assert!(!Finding::CountingProhibited.is_ambiguous());
}

#[test]
fn a_stopped_clock_is_not_taken_for_that() {
    for permitted in [true, false] {
        let device = Device::new();
        device.set_counting_permitted(permitted);
        let mut pmu = Pmu::new(device.bus());
        assert_eq!(findings(&pmu.diagnose_with(EXPECTED, || {})), [Finding::ClockStandsStill]);
        assert_eq!(findings(&pmu.diagnose()), [Finding::ClockStandsStill], "no time passes here");
        // After the first try.
        let mut call = 0;
        let diagnosis = pmu.diagnose_with(None, || {
            call += 1;
            device.clock(if call == 1 { 100 } else { 0 });
        });
        assert_eq!(findings(&diagnosis), [Finding::ClockStandsStill]);
    }
}

#[test]
fn an_emulator_without_instructions_is_found() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let diagnosis = pmu.diagnose_with(EXPECTED, || device.clock(100));
    assert_eq!(findings(&diagnosis), [Finding::InstructionsNotCounted]);
    assert!(diagnosis.to_string().contains("-icount"));
}

#[test]
fn a_silent_expected_event_is_found() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let work = || {
        device.signal_raw(INSTRUCTION, 50);
        device.clock(100);
    };
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, work)), [Finding::ExpectedEventNotCounted]);
    assert_eq!(findings(&pmu.diagnose_with(None, work)), []);
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
    // With the driver of higher levels.
    device.set_user_access(false);
    let mut pmu = Pmu::new(device.user_bus());
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::NoAccess]);
}

#[test]
fn missing_access_is_found() {
    let device = Device::new();
    let before = registers(&device);
    device.set_response(Response::Zero);
    assert_eq!(found(&device), [Finding::Counters]);
    device.set_response(Response::Error);
    assert_eq!(found(&device), [Finding::NoAccess]);
    device.set_response(Response::Registers);
    assert_eq!(registers(&device), before);
    // Registers that read as ones have all counters, and do not take what is written.
    device.set_response(Response::Ones);
    assert_eq!(found(&device), [Finding::WritesIgnored]);
    // A hypervisor leaves two. The others are not touched.
    let device = Device::new();
    device.set_number_of_counters(2);
    device.clear_violations();
    let before = registers(&device);
    assert_eq!(found(&device), [Finding::Counters]);
    assert_eq!((registers(&device), device.violations()), (before, vec![]));
}

/// The result does not depend on the events and counts that the core holds before.
#[test]
fn writes_that_one_register_ignores_are_found() {
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
        // Without this check, a reprogrammed instruction counter would look like an emulator.
        |device: &Device| device.other_owner_selects(0, 0x44),
        |device: &Device| device.other_owner_selects(1, 0x44),
        |device: &Device| device.other_owner_filters(0, u32::from(INSTRUCTION)),
        |device: &Device| device.other_owner_filters_cycles(1 << 31),
        // The width of the cycle counter, and whether it stops where counting is prohibited.
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 6),
        |device: &Device| device.poke(PMCR, device.peek(PMCR) ^ 1 << 5),
    ] {
        let diagnosis = pmu.diagnose_with(EXPECTED, || {
            work(&device);
            meddle(&device);
        });
        assert_eq!(findings(&diagnosis), [Finding::EnableLost]);
    }
    pmu.cycle_counter().count();
    let running = pmu.start();
    device.other_owner_disables_all();
    let mut pmu = running.stop();
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::Interference]);
}

#[test]
fn a_panic_of_the_work_leaves_every_register_as_it_was() {
    let device = Device::new();
    device.power_up_with(Noise::Seeded(7));
    let before = registers(&device);
    let mut pmu = Pmu::new(device.bus());
    let panics = std::panic::AssertUnwindSafe(|| {
        pmu.diagnose_with(EXPECTED, || {
            work(&device);
            std::panic::resume_unwind(Box::new(()));
        })
    });
    assert!(std::panic::catch_unwind(panics).is_err());
    assert_eq!(registers(&device), before);
}

#[test]
fn every_register_is_afterwards_as_before() {
    let noises = [Noise::Zeros, Noise::Ones].into_iter().chain((0..20).map(Noise::Seeded));
    for noise in noises {
        for posted in [false, true] {
            for (permitted, expected) in [(true, EXPECTED), (false, None)] {
                let device = Device::new();
                device.power_up_with(noise);
                device.set_noise(noise);
                device.set_posted_stores(posted);
                device.set_counting_permitted(permitted);
                device.clear_violations();
                let (before, interrupt) = (registers(&device), device.interrupt());
                let findings: &[_] = if permitted { &[] } else { &[Finding::CountingProhibited] };
                assert_eq!(diagnose(&device, &mut Pmu::new(device.bus()), expected), findings);
                assert_eq!(registers(&device), before, "{noise:?} {posted}");
                assert_eq!(device.interrupt(), interrupt);
                // What was reserved before is so afterwards; nothing else that is forbidden was done.
                let put_back = |violation: &SysregViolation| {
                    matches!(
                        violation,
                        SysregViolation::ReservedEvent { .. }
                            | SysregViolation::CycleCounterOf32Bits
                    )
                };
                let violations = device.violations();
                assert!(violations.iter().all(put_back), "{violations:?}");
            }
        }
    }
}

#[test]
fn a_measurement_can_be_resumed_after_it() {
    let device = Device::new();
    let mut pmu = Pmu::new(device.bus());
    let [counter, ..] = pmu.counters();
    counter.count(EVENT);
    pmu.interrupts(Counters::ALL);
    let running = pmu.start();
    work(&device);
    let mut pmu = running.stop();
    diagnose(&device, &mut pmu, EXPECTED);
    assert_eq!(pmu.counts()[0].exact(), Ok(10));
    let running = pmu.resume();
    work(&device);
    assert_eq!(running.stop().counts()[0].exact(), Ok(20));
}

#[test]
fn the_work_is_bounded_and_an_exception_ends_it() {
    /// Returns the findings, the number of calls of the work, and the number of accesses.
    fn diagnose(device: &Device) -> (Vec<Finding>, u32, usize) {
        let mut calls = 0;
        let diagnosis = Pmu::new(device.bus()).diagnose_with(EXPECTED, || {
            calls += 1;
            work(device);
        });
        let journal = device.journal();
        let accesses = journal.iter().filter(|access| **access != SysregAccess::Synchronize);
        (findings(&diagnosis), calls, accesses.count())
    }
    let bound = 70 * (COUNTERS + 1);
    for permitted in [true, false] {
        let device = Device::new();
        device.set_counting_permitted(permitted);
        let (_, calls, most) = diagnose(&device);
        assert!(calls <= 3 && most <= bound, "{calls} calls, {most} accesses");
        for arrivals in 0..most {
            for response in [Response::Error, Response::Zero, Response::Ones] {
                let device = Device::new();
                device.set_counting_permitted(permitted);
                device.respond_after(arrivals, response);
                let (found, calls, accesses) = diagnose(&device);
                assert!(calls <= 3 && accesses <= 2 * bound, "{calls} calls, {accesses} accesses");
                match response {
                    Response::Error => assert_eq!(found, [Finding::NoAccess], "{arrivals}"),
                    _ => assert!(found.len() <= 2, "{arrivals} {response:?}: {found:?}"),
                }
            }
        }
    }
}

/// Counters of an earlier owner, about to wrap, do not count during a diagnosis.
#[test]
fn a_diagnosis_sets_no_overflow_flag() {
    let device = Device::new();
    device.power_up_with(Noise::Zeros);
    device.poke(PMCR, device.peek(PMCR) | 1 << 6 | 1);
    device.poke(PMCNTENSET, (1 << 31) | ((1 << COUNTERS) - 1));
    device.poke(PMCCNTR, u64::MAX);
    for counter in 0..COUNTERS {
        device.other_owner_filters(counter, u32::from(INSTRUCTION));
        device.poke_counter(counter, u32::MAX);
    }
    let before = registers(&device);
    device.clear_violations();
    assert_eq!(found(&device), []);
    assert_eq!(registers(&device), before);
    assert_eq!(device.violations(), [], "nothing is tried that is reserved");
}
