//! Each state of a device leads to exactly one finding.

use arm_pmu::cci500::events::SlaveSource;
use arm_pmu::cci500::registers::Space;
use arm_pmu::cci500::{Diagnose, Finding, MI0, MasterEvent, Pmu, SI3, SI5, Selection, SlaveEvent};
use arm_pmu_core::diagnose::{Diagnosis, Outcome};
use arm_pmu_sim::Cci500 as Device;
use arm_pmu_sim::{Access, Attempt, Effect, Intercepted, MemoryBus, Security, Strict};

/// A read request at SI3.
const EXPECTED: Option<Selection> = Some(SI3.event(SlaveEvent::ReadRequestAny));

/// Same, at SI5.
const CANARY_ELSEWHERE: Option<Selection> = Some(SI5.event(SlaveEvent::ReadRequestAny));

type Bus<'d> = MemoryBus<'d, Space>;

/// Signals reads of a master at a slave interface.
fn reads(device: &Device, source: u8, security: Security) {
    device.signal_raw(source, 0x00, security, 5);
    device.signal_raw(source, 0x08, security, 20);
}

fn findings(diagnosis: &Diagnosis<Finding>) -> Vec<Finding> {
    diagnosis.findings().map(|found| found.finding).collect()
}

fn diagnose(device: &Device, pmu: &mut Pmu<Bus<'_>>, expected: Option<Selection>) -> Vec<Finding> {
    findings(&pmu.diagnose_with(expected, || reads(device, 3, Security::NonSecure)))
}

/// Returns the findings for a device whose SI3 signals reads: once with an expected event, and once
/// without.
fn found(device: &Device) -> Vec<Finding> {
    let pmu = &mut Pmu::new(device.bus());
    let with = diagnose(device, pmu, EXPECTED);
    assert_eq!(diagnose(device, pmu, None), with);
    with
}

fn registers(device: &Device) -> Vec<u32> {
    Device::REGISTERS
        .iter()
        .flat_map(|register| register.elements())
        .map(|offset| device.peek(offset))
        .collect()
}

#[test]
fn counting_device_has_no_finding() {
    let device = Strict::new(Device::new());
    assert_eq!(found(&device), []);
    // Any counted traffic, even if only writes or only requests, proves that NIDEN is HIGH.
    for code in [0x12, 0x00, 0x08] {
        let mut pmu = Pmu::new(device.bus());
        let work = || device.signal_raw(5, code, Security::NonSecure, 1);
        let diagnosis = pmu.diagnose_with(None, work);
        let expected: &[_] = if code == 0x08 { &[Finding::SecureNotObserved] } else { &[] };
        assert_eq!(findings(&diagnosis), expected, "{code:#x}");
        assert_eq!(diagnosis.outcome() == Outcome::Counts, expected.is_empty());
    }
}

#[test]
fn without_expected_event_niden_low_is_ambiguous() {
    let device = Strict::new(Device::new());
    // Silence.
    let mut pmu = Pmu::new(device.bus());
    let silent = pmu.diagnose_with(None, || {});
    assert_eq!(findings(&silent), [Finding::NidenLowOrSilence]);
    assert_eq!(findings(&pmu.diagnose()), [Finding::NidenLowOrSilence]);
    // NIDEN LOW.
    device.set_niden(false);
    let low = pmu.diagnose_with(None, || reads(&device, 3, Security::NonSecure));
    assert_eq!(low, silent);
    assert!(Finding::NidenLowOrSilence.is_ambiguous());
    assert!(low.to_string().contains("ambiguous"));
}

#[test]
fn an_expected_event_detects_niden_low() {
    let device = Strict::new(Device::new());
    device.set_niden(false);
    let mut pmu = Pmu::new(device.bus());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::NidenLow]);
    device.set_spniden(true);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::NidenLow], "SPNIDEN does not help");
    assert!(Finding::NidenLow.cause().contains("provided that"));
}

#[test]
fn exempt_events_detect_secure_traffic() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let secure = || reads(&device, 3, Security::Secure);
    for expected in [EXPECTED, None] {
        let diagnosis = pmu.diagnose_with(expected, secure);
        assert_eq!(findings(&diagnosis), [Finding::SecureNotObserved]);
    }
    for observe in [
        |device: &Device| device.set_spniden(true),
        |device: &Device| device.set_secure_debug(true),
    ] {
        let device = Strict::new(Device::new());
        observe(&device);
        let mut pmu = Pmu::new(device.bus());
        let diagnosis = pmu.diagnose_with(EXPECTED, || reads(&device, 3, Security::Secure));
        assert_eq!(findings(&diagnosis), []);
    }
    for source in SlaveSource::ALL {
        let mut pmu = Pmu::new(device.bus());
        let diagnosis =
            pmu.diagnose_with(None, || reads(&device, source.id() as u8, Security::Secure));
        assert_eq!(findings(&diagnosis), [Finding::SecureNotObserved], "{source}");
    }
    // The trial uses the measured interface, not the busiest one.
    let [counter, ..] = pmu.counters();
    counter.count(SI5.event(SlaveEvent::WriteRequestAny));
    let both = || {
        reads(&device, 5, Security::Secure);
        (0..9).for_each(|_| reads(&device, 3, Security::NonSecure));
    };
    assert_eq!(findings(&pmu.diagnose_with(None, both)), [Finding::SecureNotObserved]);
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, both)), []);
}

/// An expected event is found even if only some calls cause it, whether the traffic has read beats or only write
/// beats.
#[test]
fn expected_events_may_skip_a_trial() {
    for (beats, calls) in [(0x08, 2), (0x12, 3)] {
        // Bit n of `counted` is 1 if call n causes the expected event.
        for counted in 1..1 << calls {
            let device = Strict::new(Device::new());
            let mut call = 0;
            let diagnosis = Pmu::new(device.bus()).diagnose_with(CANARY_ELSEWHERE, || {
                if counted >> call & 1 == 1 {
                    device.signal_raw(5, 0x00, Security::NonSecure, 5);
                }
                device.signal_raw(3, 0x00, Security::NonSecure, 5);
                device.signal_raw(3, beats, Security::NonSecure, 20);
                call += 1;
            });
            assert_eq!((findings(&diagnosis), call), (vec![], calls), "{beats:#x}, {counted:#b}");
        }
    }
}

/// Secure traffic at another interface does not explain a missing expected event.
#[test]
fn secure_traffic_explains_only_zeros_at_its_interface() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let secure = || reads(&device, 3, Security::Secure);
    let both = [Finding::SecureNotObserved, Finding::ExpectedEventNotCounted];
    let at_another = Some(SI5.event(SlaveEvent::ReadRequestAny));
    assert_eq!(findings(&pmu.diagnose_with(at_another, secure)), both);
    let at_a_master = Some(MI0.event(MasterEvent::ReadDataStall));
    assert_eq!(findings(&pmu.diagnose_with(at_a_master, secure)), both);
    assert_eq!(findings(&pmu.diagnose_with(EXPECTED, secure)), [Finding::SecureNotObserved]);
    // The findings are the same if a counter measures the Secure reads.
    let [counter, ..] = pmu.counters();
    counter.count(SI3.event(SlaveEvent::ReadRequestAny));
    assert_eq!(findings(&pmu.diagnose_with(at_another, secure)), both);
}

#[test]
fn missing_interface_is_one_of_three_causes() {
    let device = Strict::new(Device::new());
    device.set_built(5, false);
    let mut pmu = Pmu::new(device.bus());
    let work = || {
        reads(&device, 3, Security::NonSecure);
        reads(&device, 5, Security::NonSecure);
    };
    let expected = Some(SI5.event(SlaveEvent::ReadRequestAny));
    assert_eq!(findings(&pmu.diagnose_with(expected, work)), [Finding::ExpectedEventNotCounted]);
    assert!(Finding::ExpectedEventNotCounted.is_ambiguous());
    device.set_built(5, true);
    assert_eq!(findings(&pmu.diagnose_with(expected, work)), []);
    let elsewhere = Some(MI0.event(MasterEvent::ReadDataStall));
    assert_eq!(findings(&pmu.diagnose_with(elsewhere, work)), [Finding::ExpectedEventNotCounted]);
}

#[test]
fn silent_event_is_named() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let [_, counter, ..] = pmu.counters();
    counter.count(SI3.event(SlaveEvent::WriteEvict));
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::NeverFires]);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::NeverFires]);
    let [_, counter, ..] = pmu.counters();
    counter.off();
    let expected = Some(SI3.event(SlaveEvent::WriteEvict));
    let diagnosis = pmu.diagnose_with(expected, || reads(&device, 3, Security::NonSecure));
    let found: Vec<_> = diagnosis.findings().map(|found| (found.finding, found.value)).collect();
    assert_eq!(found, [(Finding::NeverFires, 0x71)]);
}

#[test]
fn another_product_is_named() {
    let device = Strict::new(Device::new());
    device.set_part_number(0x420);
    assert_eq!(found(&device), [Finding::AnotherProduct]);
}

#[test]
fn missing_access_is_found() {
    // Non-secure software has access to the PMU until bit 1 of Secure Access forbids it.
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.non_secure_bus());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), []);
    device.poke(0x008, 0b10);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::ReadsAsZero]);
    device.poke(0x008, 0b11);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), []);
}

#[test]
fn partly_written_selection_is_found() {
    for bits in [0x1F, 0x1E0, 1, 1 << 8] {
        let device = Strict::new(Device::new());
        let before = registers(&device);
        let mut pmu = Pmu::new(Intercepted::new(device.bus(), |attempt| match attempt {
            // The first register of each counter's block selects the event.
            Attempt::Store(to, value) if to % 0x10000 == 0 => {
                Effect::Replace(value & !bits | device.peek(to) & bits)
            }
            _ => Effect::Proceed,
        }));
        let diagnosis = pmu.diagnose_with(EXPECTED, || reads(&device, 3, Security::NonSecure));
        assert_eq!(findings(&diagnosis), [Finding::WritesIgnored], "{bits:#x}");
        assert_eq!(registers(&device), before);
    }
}

/// A counter that ignores the standstill event would count, so no counter gets a clock.
#[test]
fn ignored_writes_end_the_diagnosis() {
    for enabled in [0, 1] {
        let device = Strict::new(Device::new());
        device.poke(0x100, device.peek(0x100) | enabled);
        device.poke(0x10000, 0x65);
        device.set_stores_ignored(true);
        let mut pmu = Pmu::new(device.bus());
        assert_eq!(findings(&pmu.diagnose()), [Finding::WritesIgnored]);
        let stores = device.journal().into_iter().filter_map(|access| match access {
            Access::Store { offset: 0x100, value } => Some((0x100, value & 1)),
            Access::Store { offset, value } => Some((offset, value)),
            _ => None,
        });
        let expected = [(0x100, 0), (0x10000, 0x19A), (0x10000, 0x65), (0x100, enabled)];
        assert_eq!(stores.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_stopped_clock_is_found() {
    let device = Strict::new(Device::new());
    let [mut pmu, _] = [Pmu::new(device.bus()), Pmu::new(device.bus())];
    device.set_clock_stopped(true);
    let before = registers(&device);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::CountersNotClocked]);
    assert_eq!(registers(&device), before);
}

/// Without this check, the change would look like an input that is LOW, or like Secure traffic.
#[test]
fn reprogramming_by_another_owner_is_found() {
    for (niden, calls) in [(true, 2), (false, 3)] {
        for (call, counter) in (1..=calls).flat_map(|call| (0..8).map(move |n| (call, n))) {
            // Another event, and another source.
            for (changed, expected) in
                [(1, EXPECTED), (1, None), (1 << 5, EXPECTED), (1 << 5, None)]
            {
                let device = Strict::new(Device::new());
                device.set_niden(niden);
                let before = registers(&device);
                let mut calls = 0;
                let diagnosis = Pmu::new(device.bus()).diagnose_with(expected, || {
                    calls += 1;
                    if calls == call {
                        let id = device.peek((counter + 1) * 0x10000) as u16;
                        device.other_owner_selects(counter, id ^ changed);
                    }
                    reads(&device, 3, Security::NonSecure);
                });
                assert_eq!(findings(&diagnosis), [Finding::EnableLost], "{call} {counter}");
                assert_eq!(registers(&device), before);
            }
        }
    }
}

#[test]
fn ending_traffic_is_not_reported_as_secure() {
    let device = Strict::new(Device::new());
    let mut call = 0;
    let diagnosis = Pmu::new(device.bus()).diagnose_with(None, || {
        call += 1;
        if call == 1 {
            reads(&device, 3, Security::NonSecure);
        }
    });
    assert_eq!((findings(&diagnosis), diagnosis.outcome()), (vec![], Outcome::Counts));
}
