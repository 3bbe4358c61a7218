//! Diagnosis tests: each state of a CCI-400 leads to exactly one finding.

use arm_pmu_core::diagnose::{Diagnosis, Outcome};
use arm_pmu_sim::{Attempt, Cci400, Effect, Intercepted, MemoryBus, Response, Security, Strict};
use cci400::registers::Space;
use cci400::{
    Diagnose, Divider, EventOrCycles, Finding, M0, MasterEvent, Pmu, S3, Selection, SlaveEvent,
};

/// A read request at S3.
const READ: Selection = S3.event(SlaveEvent::ReadRequestAny);
const EXPECTED: Option<EventOrCycles<Selection>> = Some(EventOrCycles::Event(READ));

/// Returns the findings while the clock runs and S3 signals reads, with and without an expected
/// event.
fn found(device: &Cci400) -> Vec<Finding> {
    let pmu = &mut Pmu::new(device.bus());
    let with = diagnose(device, pmu, EXPECTED);
    let without = diagnose(device, pmu, None);
    assert_eq!(with, without);
    with
}

fn diagnose(
    device: &Cci400,
    pmu: &mut Pmu<MemoryBus<'_, Space>>,
    expected: Option<EventOrCycles<Selection>>,
) -> Vec<Finding> {
    let work = || {
        device.signal_raw(3, 0x00, Security::NonSecure, 7);
        device.clock(100);
    };
    findings(&pmu.diagnose_with(expected, work))
}

fn findings(diagnosis: &Diagnosis<Finding>) -> Vec<Finding> {
    diagnosis.findings().map(|found| found.finding).collect()
}

fn registers(device: &Cci400) -> Vec<u32> {
    Cci400::REGISTERS
        .iter()
        .flat_map(|register| register.elements())
        .map(|offset| device.peek(offset))
        .collect()
}

#[test]
fn counting_device_has_no_finding() {
    let device = Strict::new(Cci400::new());
    assert_eq!(found(&device), []);
    let mut pmu = Pmu::new(device.bus());
    let diagnosis = pmu.diagnose_with(None, || device.clock(1));
    assert_eq!(diagnosis.outcome(), Outcome::Counts);
    assert!(diagnosis.to_string().contains("the hardware counts; the measured event did not"));
    // The default work of `diagnose` reads the PMU, and in this test each access takes a cycle.
    device.set_cycles_per_access(1);
    assert_eq!(pmu.diagnose().outcome(), Outcome::Counts);
}

#[test]
fn niden_low_is_certain() {
    let device = Strict::new(Cci400::new());
    device.set_niden(false);
    assert_eq!(found(&device), [Finding::NidenLow]);
    assert!(!Finding::NidenLow.is_ambiguous());
    device.set_spniden(true);
    assert_eq!(found(&device), [Finding::NidenLow], "SPNIDEN does not help");
}

#[test]
fn a_silent_expected_event_leaves_three_causes() {
    // The traffic of this device is Secure.
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    let secure = || {
        device.signal_raw(3, 0x00, Security::Secure, 7);
        device.clock(100);
    };
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, secure)), [Finding::ExpectedEventNotCounted]);
    assert!(Finding::ExpectedEventNotCounted.is_ambiguous());
    device.set_spniden(true);
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, secure)), []);
    // The traffic comes through another interface.
    device.set_spniden(false);
    let elsewhere = Some(EventOrCycles::Event(M0.event(MasterEvent::AddressHazardStall)));
    assert_eq!(diagnose(&device, &mut pmu, elsewhere), [Finding::ExpectedEventNotCounted]);
    // The diagnosis always counts cycles.
    assert_eq!(diagnose(&device, &mut pmu, Some(EventOrCycles::Cycles)), []);
}

#[test]
fn other_devices_are_named() {
    let device = Strict::new(Cci400::new());
    device.set_part_number(0x422);
    assert_eq!(found(&device), [Finding::AnotherProduct]);
    let diagnosis = Pmu::new(device.bus()).diagnose();
    assert_eq!(diagnosis.findings().next().map(|found| found.value), Some(0x422));
    let text = diagnosis.to_string();
    assert!(text.contains("0x422 is a CCI-500"), "{text}");
    device.set_part_number(0x420);
    for revision in 0..16 {
        device.set_revision(revision);
        let expected: &[_] = if revision < 5 { &[Finding::AnotherRevision] } else { &[] };
        assert_eq!(found(&device), expected, "{revision}");
        let mut of_r0 = cci400::r0::Pmu::new(device.bus());
        let unfit = of_r0.diagnose().findings().any(|f| f.finding == Finding::AnotherRevision);
        assert_eq!(unfit, revision >= 5, "{revision}");
    }
    device.set_revision(4);
    device.set_niden(false);
    assert_eq!(
        found(&device),
        [Finding::AnotherRevision, Finding::NidenLow],
        "both findings are reported"
    );
}

#[test]
fn partly_written_selection_is_found() {
    for bits in [0x1F, 0xE0, 1, 1 << 7] {
        let device = Strict::new(Cci400::new());
        let before = registers(&device);
        let mut pmu = Pmu::new(Intercepted::new(device.bus(), |attempt| match attempt {
            Attempt::Store(to @ (0xA000 | 0xB000 | 0xC000 | 0xD000), value) => {
                Effect::Replace(value & !bits | device.peek(to) & bits)
            }
            _ => Effect::Proceed,
        }));
        let diagnosis = pmu.diagnose_with(EXPECTED, || device.clock(100));
        assert_eq!(findings(&diagnosis), [Finding::WritesIgnored], "{bits:#x}");
        assert_eq!(registers(&device), before);
    }
}

#[test]
fn disturbed_counters_are_named() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().count(Divider::By1);
    let [counter, ..] = pmu.counters();
    counter.count(READ);
    let running = pmu.start();
    device.other_owner_disables(0);
    let mut pmu = running.stop();
    assert_eq!(
        pmu.diagnose_with(None, || device.clock(1)).findings().next().map(|f| f.value),
        Some(1)
    );
    let running = pmu.start();
    device.power_up();
    let mut pmu = running.stop();
    let lost = pmu.diagnose_with(None, || device.clock(1));
    assert_eq!(
        lost.findings().next().map(|f| (f.finding, f.value)),
        Some((Finding::Interference, u32::MAX))
    );
}

/// Without this check, the change would look like an input that is LOW, a stopped clock, or Secure
/// traffic.
#[test]
fn reprogramming_by_another_owner_is_found() {
    let of_expected: [fn(&Cci400); 3] = [
        |device| device.other_owner_selects(0, 0x61),
        |device| device.other_owner_selects(0, 0x40),
        |device| device.other_owner_disables(0),
    ];
    let of_cycles: [fn(&Cci400); 3] = [
        |device| device.poke(0x100, device.peek(0x100) ^ 1 << 5),
        |device| device.poke(0x100, device.peek(0x100) ^ 1 << 3),
        Cci400::other_owner_disables_cycles,
    ];
    let found = |niden, expected, meddle: fn(&Cci400), meddled| {
        let device = Strict::new(Cci400::new());
        device.set_niden(niden);
        let before = registers(&device);
        let mut call = 0;
        let diagnosis = Pmu::new(device.bus()).diagnose_with(expected, || {
            call += 1;
            if call == meddled {
                meddle(&device);
            }
            device.signal_raw(3, 0x00, Security::NonSecure, 7);
            device.clock(100);
        });
        assert_eq!(registers(&device), before);
        findings(&diagnosis)
    };
    for (niden, calls) in [(true, 2), (false, 3)] {
        for call in 1..=calls {
            for meddle in of_expected.into_iter().chain(of_cycles) {
                assert_eq!(found(niden, EXPECTED, meddle, call), [Finding::EnableLost], "{call}");
            }
            for meddle in of_cycles {
                assert_eq!(found(niden, None, meddle, call), [Finding::EnableLost], "{call}");
            }
        }
    }
    for meddle in of_expected {
        assert_eq!(
            found(true, None, meddle, 1),
            [],
            "the diagnosis uses counter 0 only if it has an expected event"
        );
    }
}

#[test]
fn unreadable_identity_is_found_by_non_secure_software() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.non_secure_bus());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::Unidentified]);
    device.set_niden(false);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::NidenLow, Finding::Unidentified]);
    device.set_niden(true);
    let part = |pmu: &mut Pmu<_>| {
        let diagnosis = pmu.diagnose_with(None, || device.clock(1));
        diagnosis.findings().map(|found| (found.finding, found.value)).collect::<Vec<_>>()
    };
    assert_eq!(part(&mut pmu), [(Finding::Unidentified, 0)]);
    device.poke(0x008, 1);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), []);
    // Only the JEDEC bit is missing.
    let pid2 = device.peek(0xFE8);
    device.poke(0xFE8, pid2 & !(1 << 3));
    assert_eq!(part(&mut pmu), [(Finding::Unidentified, 0x420)]);
    device.poke(0xFE8, pid2);
    device.poke(0x008, 0);
    device.set_refusals_fail(true);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::BusError]);
}

#[test]
fn non_secure_software_can_diagnose_counters() {
    let device = Strict::new(Cci400::new());
    device.set_refusals_fail(true);
    let found = |device: &Cci400| {
        let mut pmu = Pmu::new(device.non_secure_bus());
        findings(&pmu.diagnose_counters(EXPECTED, || {
            device.signal_raw(3, 0x00, Security::NonSecure, 7);
            device.clock(100);
        }))
    };
    let before = registers(&device);
    assert_eq!(found(&device), []);
    assert_eq!(registers(&device), before);
    device.set_niden(false);
    assert_eq!(found(&device), [Finding::NidenLow]);
    device.set_number_of_counters(8);
    assert_eq!(found(&device), [Finding::Counters]);
    for (response, expected) in [
        (Response::Zero, Finding::ReadsAsZero),
        (Response::Ones, Finding::ReadsAsOnes),
        (Response::Error, Finding::BusError),
    ] {
        device.set_response(response);
        assert_eq!(found(&device), [expected]);
    }
}

#[test]
fn one_cycle_suffices_with_any_divider() {
    let device = Strict::new(Cci400::new());
    device.poke(0x100, device.peek(0x100) | 1 << 3);
    let diagnosis = Pmu::new(device.bus()).diagnose_with(None, || device.clock(1));
    assert_eq!(findings(&diagnosis), []);
}
