//! Tests the diagnosis on the simulated device of the enclosing module.

use std::cell::RefCell;

use super::{Device, product};
use arm_pmu_core::bus::BusError;
use arm_pmu_core::bus::{RegisterSpec, Word};
use arm_pmu_core::diagnose::Diagnosis;
use arm_pmu_sim::{Access, AnyOffset, MemoryBus, Noise, Response, Stream, Strict};
use product::registers::{Page0, Page1};
use product::tbu::{self, Selection};
use product::{Bus, Diagnose, Finding, StreamFilter, TbuEvent};

const EXPECTED: Option<Selection> = Some(Selection::event(TbuEvent::MainTlbLookup));

fn findings(diagnosis: &Diagnosis<Finding>) -> Vec<Finding> {
    diagnosis.findings().map(|found| found.finding).collect()
}

/// Signals transactions of stream 0x42 through a TBU. The event is selected by number, because a TCU uses this code for
/// another event.
fn work(device: &Device) {
    device.signal_raw(TbuEvent::MainTlbLookup.code(), Stream::non_secure(0x42), 7);
    device.clock(100);
}

fn pmu(device: &Device) -> tbu::Pmu<MemoryBus<'_, Page0>, MemoryBus<'_, Page1>> {
    tbu::Pmu::new(device.page0(), device.page1())
}

fn diagnose<P0, P1>(
    device: &Device,
    pmu: &mut tbu::Pmu<P0, P1>,
    expected: Option<Selection>,
) -> Vec<Finding>
where
    P0: Bus<Space = Page0>,
    P1: Bus<Space = Page1>,
{
    findings(&pmu.diagnose_with(expected, || work(device)))
}

/// Checks that a diagnosis has the same findings with and without an expected event, and returns the findings.
fn found(device: &Device) -> Vec<Finding> {
    let with = diagnose(device, &mut pmu(device), EXPECTED);
    assert_eq!(diagnose(device, &mut pmu(device), None), with);
    with
}

fn registers(device: &Device) -> Vec<u32> {
    device
        .registers()
        .iter()
        .flat_map(|register| register.elements())
        .map(|offset| device.peek(offset))
        .collect()
}

#[test]
fn a_gated_clock_is_found() {
    let device = Strict::new(Device::tbu());
    device.set_clock_gated(true);
    assert_eq!(found(&device), [Finding::ClockStandsStill]);
    assert!(Finding::ClockStandsStill.is_ambiguous());
    // A bus to page 1 of another unit, whose counters hold written values, but never count.
    let (device, other) = (Strict::new(Device::tbu()), Strict::new(Device::tbu()));
    let mut pmu = tbu::Pmu::new(device.page0(), other.page1());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::ClockStandsStill]);
}

/// A bus to page 0 in place of page 1.
struct Mistaken<'d>(MemoryBus<'d, AnyOffset>);

impl Bus for Mistaken<'_> {
    type Space = Page1;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        S::Ux::truncate(self.0.read(S::LOCATION.offset(index)).into())
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        let value: u64 = value.into();
        self.0.write(S::LOCATION.offset(index), value as u32);
    }

    fn synchronize(&self) {
        self.0.synchronize();
    }

    fn error(&self) -> Option<BusError> {
        self.0.error()
    }
}

#[test]
fn page_0_instead_of_page_1_is_found() {
    let device = Device::tbu();
    let before = registers(&device);
    let mut pmu = tbu::Pmu::new(device.page0(), Mistaken(device.page0()));
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::Page1Elsewhere]);
    assert_eq!(registers(&device), before);
    // No device answers.
    let other = Strict::new(Device::tbu());
    for response in [Response::Zero, Response::Ones] {
        other.set_response(response);
        let mut pmu = tbu::Pmu::new(device.page0(), other.page1());
        assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::Page1Elsewhere]);
    }
    other.set_response(Response::Error);
    other.clear_journal();
    let mut pmu = tbu::Pmu::new(device.page0(), other.page1());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::BusError]);
    assert!(!other.journal().iter().any(|access| matches!(access, Access::Store { .. })));
}

/// Offset and value of a write.
type Store = (usize, u32);

/// Stands for memory of another owner, which a wrong address leads to in place of page 1.
struct Foreign<'d> {
    words: &'d RefCell<[u32; 0x400]>,
    stores: &'d RefCell<Vec<Store>>,
    /// Writable bits of each word.
    holds: u32,
}

impl Bus for Foreign<'_> {
    type Space = Page1;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        S::Ux::truncate(self.words.borrow()[S::LOCATION.offset(index) / 4].into())
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        let offset = S::LOCATION.offset(index);
        let value = Into::<u64>::into(value) as u32;
        self.stores.borrow_mut().push((offset, value));
        self.words.borrow_mut()[offset / 4] = value & self.holds;
    }

    fn synchronize(&self) {}
}

/// Diagnoses a unit with foreign memory, which has these words at the offsets of CAPR, OVSSET0 and OVSCLR0. Returns the
/// findings, and the writes to the memory.
fn found_beside_foreign_memory(
    [capr, ovsset0, ovsclr0]: [u32; 3],
    holds: u32,
) -> (Vec<(Finding, u32)>, Vec<Store>) {
    let device = Strict::new(Device::tbu());
    let before = registers(&device);
    let (words, stores) = (RefCell::new([0x1234; 0x400]), RefCell::new(Vec::new()));
    for (offset, word) in [(0xD88, capr), (0xCC0, ovsset0), (0xC80, ovsclr0)] {
        words.borrow_mut()[offset / 4] = word;
    }
    let page1 = Foreign { words: &words, stores: &stores, holds };
    let mut pmu = tbu::Pmu::new(device.page0(), page1);
    let diagnosis = pmu.diagnose_with(EXPECTED, || unreachable!("there are no counters"));
    assert_eq!(registers(&device), before);
    let found = diagnosis.findings().map(|found| (found.finding, found.value)).collect();
    (found, stores.take())
}

#[test]
fn diagnosis_writes_only_to_page_1() {
    // The words, and a mask of the bits that show that this is not page 1.
    for (words, foreign) in [
        ([1, 0, 0], 1),
        ([1 << 31, 0, 0], 1 << 31),
        ([0, 2, 0], 2),
        ([0, 0, 8], 8),
        ([0, 7, 3], 4),
        // Two registers show the same problem.
        ([1, 1, 0], 1),
        ([0, 0x10, 0], 0x10),
        ([0, 0x10, 0x10], 0x10),
        ([0, 0x8000_0003, 0x8000_0003], 1 << 31),
        ([u32::MAX; 3], u32::MAX),
    ] {
        let found = found_beside_foreign_memory(words, u32::MAX);
        assert_eq!(found, (vec![(Finding::Page1Elsewhere, foreign)], vec![]), "{words:x?}");
    }
}

#[test]
fn memory_ignoring_writes_is_written_once() {
    let (found, stores) = found_beside_foreign_memory([0, 0xF, 0xF], 0xFFFF);
    assert_eq!(found, [(Finding::Page1Elsewhere, 0x5A5A)]);
    assert_eq!(stores, [(0, 0x5A5A_5A5A), (0, 0x1234)], "and the value is restored");
}

/// Page 1 of another unit looks the same, so its counters are written and then restored. The
/// counters of this unit are not accessible.
#[test]
fn counters_of_another_unit_are_restored() {
    let (device, other) = (Strict::new(Device::tbu()), Strict::new(Device::tcu()));
    let in_reach = || {
        let offsets = device.registers().iter().flat_map(|register| register.elements());
        let page0 = offsets.filter(|offset| *offset < device.at(1, 0));
        let page0: Vec<_> = page0.map(|offset| device.peek(offset)).collect();
        (page0, registers(&other))
    };
    let before = in_reach();
    let mut pmu = tbu::Pmu::new(device.page0(), other.page1());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::ClockStandsStill]);
    assert_eq!(in_reach(), before);
}

#[test]
fn missing_access_is_found() {
    let device = Strict::new(Device::tbu());
    let mut pmu = tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), []);
    device.set_non_secure_access(false);
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::ReadsAsZero]);
    assert!(Finding::ReadsAsZero.cause().contains("NSRA"));
}

#[test]
fn other_devices_are_named() {
    let device = Strict::new(Device::tbu());
    device.set_part_number(0x422);
    assert_eq!(found(&device), [Finding::AnotherProduct]);
    let diagnosis = pmu(&device).diagnose();
    assert_eq!(diagnosis.findings().map(|f| f.value).collect::<Vec<_>>(), [0x422]);
    let device = Strict::new(Device::tbu());
    device.poke(device.at(0, 0xFBC), 0);
    assert_eq!(found(&device), [Finding::NotAPmu]);
    let device = Strict::new(Device::tbu());
    for configuration in [0x00D0_1F00, 0x00C0_1F03, 0x00D0_3F03, 0x0050_1F03] {
        device.poke(device.at(0, 0xE00), configuration);
        assert_eq!(found(&device), [Finding::Configuration], "{configuration:#x}");
    }
}

#[test]
fn unacknowledged_interrupt_is_found() {
    let device = Strict::new(Device::tbu());
    device.set_acknowledge_after(None);
    assert_eq!(found(&device), [Finding::IrqNotAcknowledged]);
    for accesses in [0, 1, 2, 10, 900] {
        device.set_acknowledge_after(Some(accesses));
        assert_eq!(found(&device), [], "{accesses}");
    }
    device.set_acknowledge_after(Some(5_000));
    assert_eq!(found(&device), [Finding::IrqNotAcknowledged]);
}

#[test]
fn secure_events_need_secure_observation() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    let [counter, ..] = pmu.counters();
    counter.count(TbuEvent::SlotsFull);
    assert_eq!(diagnose(&device, &mut pmu, None), [Finding::SecureNotObserved]);
    let secure = Some(TbuEvent::SlotsFull.into());
    assert_eq!(diagnose(&device, &mut pmu, secure), [Finding::SecureNotObserved]);
    let mut elsewhere = tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    assert_eq!(
        diagnose(&device, &mut elsewhere, secure),
        [Finding::SecureObservationUnknown],
        "Non-secure software cannot read SCR"
    );
    assert!(Finding::SecureObservationUnknown.is_ambiguous());
    device.set_secure_observation(true);
    assert_eq!(diagnose(&device, &mut pmu, secure), []);
    // Secure streams.
    let device = Strict::new(Device::tbu());
    let mut pmu = self::pmu(&device);
    let [counter, ..] = pmu.counters();
    counter.count(TbuEvent::MainTlbLookup);
    pmu.filter_streams(StreamFilter::ALL_SECURE);
    let none = || device.clock(100);
    assert_eq!(findings(&pmu.diagnose_with(None, none)), [Finding::SecureNotObserved]);
}

#[test]
fn filter_without_matching_traffic_is_found() {
    for (filter, expected) in [
        (StreamFilter::exactly(0x41), Some(Finding::FilterPassesNothing)),
        (StreamFilter::exactly(0x42), None),
        (StreamFilter::span(0x44..0x48), Some(Finding::FilterPassesNothing)),
        (StreamFilter::span(0x40..0x44), None),
        (Ok(StreamFilter::ALL_NON_SECURE), None),
        (Ok(StreamFilter::ALL), None),
    ] {
        let device = Strict::new(Device::tbu());
        let mut pmu = pmu(&device);
        pmu.filter_streams(filter.unwrap());
        assert_eq!(diagnose(&device, &mut pmu, EXPECTED), Vec::from_iter(expected), "{filter:?}");
        let [_, _, counter, _] = pmu.counters();
        counter.count(TbuEvent::MainTlbLookup);
        assert_eq!(diagnose(&device, &mut pmu, None), Vec::from_iter(expected), "{filter:?}");
    }
}

/// Runs a diagnosis in which only these calls cause traffic of stream 0x42. Returns the findings and the number of
/// calls.
fn found_if_traffic_comes_in(calls: &[u32], filter: u32, gated: bool) -> (Vec<Finding>, u32) {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    pmu.filter_streams(StreamFilter::exactly(filter).unwrap());
    let mut call = 0;
    let diagnosis = pmu.diagnose_with(EXPECTED, || {
        call += 1;
        let comes = calls.contains(&call);
        if comes {
            device.signal(TbuEvent::MainTlbLookup, Stream::non_secure(0x42), 7);
        }
        if comes || !gated {
            device.clock(100);
        }
    });
    (findings(&diagnosis), call)
}

#[test]
fn late_traffic_is_not_a_filter_problem() {
    assert_eq!(found_if_traffic_comes_in(&[2, 3], 0x42, false), (vec![], 3));
    let blamed = vec![Finding::FilterPassesNothing];
    assert_eq!(found_if_traffic_comes_in(&[1, 2, 3], 0x41, false), (blamed.clone(), 3));
    assert_eq!(found_if_traffic_comes_in(&[2, 3], 0x41, false), (blamed, 3));
    // An idle unit has no clock. While the clock stands still, no traffic can pass the filter.
    assert_eq!(found_if_traffic_comes_in(&[2], 0x42, true), (vec![], 2));
    assert_eq!(found_if_traffic_comes_in(&[1, 2], 0x41, true), (vec![], 3));
    // If traffic passes the filter, there is no third call.
    assert_eq!(found_if_traffic_comes_in(&[1, 2], 0x42, false), (vec![], 2));
}

#[test]
fn secure_filter_without_observation_is_found() {
    let filter = StreamFilter::exactly(0x41).unwrap().secure();
    let device = Strict::new(Device::tbu());
    let mut non_secure = tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    non_secure.filter_streams(filter);
    let unknown = [Finding::SecureObservationUnknown];
    assert_eq!(diagnose(&device, &mut non_secure, EXPECTED), unknown);
    let mut secure = pmu(&device);
    secure.filter_streams(filter);
    assert_eq!(diagnose(&device, &mut secure, EXPECTED), [Finding::SecureNotObserved]);
    device.set_secure_observation(true);
    assert_eq!(diagnose(&device, &mut secure, EXPECTED), [Finding::FilterPassesNothing]);
    // Software that cannot read SCR.SO does not know whether Secure observation is on.
    assert_eq!(diagnose(&device, &mut non_secure, EXPECTED), unknown);
}

#[test]
fn filter_wider_than_the_register_is_found() {
    let device = Strict::new(Device::tbu());
    device.set_stream_bits(8);
    let mut pmu = pmu(&device);
    pmu.filter_streams(StreamFilter::exactly(0x1042).unwrap());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::FilterNotTaken]);
    // The finding is the same if no traffic passes the truncated filter.
    pmu.filter_streams(StreamFilter::exactly(0x1043).unwrap());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), [Finding::FilterNotTaken]);
    for filter in [StreamFilter::ALL, StreamFilter::ALL_NON_SECURE] {
        pmu.filter_streams(filter);
        assert_eq!(
            diagnose(&device, &mut pmu, EXPECTED),
            [],
            "the filter uses only implemented bits"
        );
    }
}

#[test]
fn unimplemented_event_is_found() {
    let device = Strict::new(Device::tbu());
    for (number, expected) in
        [(0x03, true), (0x02, false), (0x3F, true), (0x40, true), (0x7F, true)]
    {
        let mut pmu = pmu(&device);
        let [counter, ..] = pmu.counters();
        counter.count(Selection::raw(number).unwrap());
        let found = diagnose(&device, &mut pmu, None);
        assert_eq!(found == [Finding::EventAbsent], expected, "{number:#x} {found:?}");
        assert_eq!(found.is_empty(), !expected);
    }
    let absent = Selection::raw(0x03);
    assert_eq!(diagnose(&device, &mut pmu(&device), absent), [Finding::EventAbsent]);
}

#[test]
fn a_silent_expected_event_leaves_three_causes() {
    let device = Strict::new(Device::tbu());
    let elsewhere = || device.clock(100);
    let found = findings(&pmu(&device).diagnose_with(EXPECTED, elsewhere));
    assert_eq!(found, [Finding::ExpectedEventNotCounted]);
    let secure = || {
        device.signal(TbuEvent::MainTlbLookup, Stream::secure(0x42), 7);
        device.clock(100);
    };
    assert_eq!(
        findings(&pmu(&device).diagnose_with(EXPECTED, secure)),
        [Finding::ExpectedEventNotCounted]
    );
    assert!(Finding::ExpectedEventNotCounted.is_ambiguous());
    device.set_secure_observation(true);
    assert_eq!(
        findings(&pmu(&device).diagnose_with(EXPECTED, secure)),
        [],
        "all streams include Secure streams"
    );
}

/// Action of another owner.
type Meddler<'m> = &'m dyn Fn(&Device);

#[test]
fn settings_changed_by_another_owner_are_found() {
    let flips = |bits: u32| {
        move |device: &Device| {
            let register = device.at(0, 0x400);
            device.poke(register, device.peek(register) ^ bits);
        }
    };
    let (secure, span) = (flips(1 << 30), flips(1 << 29));
    let meddlers: [(&str, Meddler<'_>); 6] = [
        ("SMR0", &|device| device.other_owner_filters(0x40)),
        ("the counter of the expected event", &|device| device.other_owner_selects(0, 0x99)),
        ("the counter of another event", &|device| device.other_owner_selects(1, 0x99)),
        ("the clock", &|device| device.other_owner_selects(3, 0x99)),
        ("SEC_SID", &secure),
        ("SID_SPAN", &span),
    ];
    for (what, meddle) in meddlers {
        for in_call in 1..=3 {
            let device = Strict::new(Device::tbu());
            let before = registers(&device);
            let mut pmu = pmu(&device);
            let [_, counter, ..] = pmu.counters();
            counter.count(TbuEvent::MainTlbMiss);
            // If the change comes in the second or third call, this filter lets no traffic pass.
            pmu.filter_streams(
                StreamFilter::exactly(if in_call == 1 { 0x42 } else { 0x41 }).unwrap(),
            );
            let mut call = 0;
            let diagnosis = pmu.diagnose_with(EXPECTED, || {
                call += 1;
                if call == in_call {
                    meddle(&device);
                }
                work(&device);
            });
            assert_eq!(findings(&diagnosis), [Finding::EnableLost], "{what} in call {in_call}");
            assert_eq!(call, in_call, "the diagnosis ends there");
            assert_eq!(registers(&device), before);
        }
    }
}

/// A setting that the unit ignores is not reported as interference by another owner.
#[test]
fn ignored_setting_is_not_interference() {
    let device = Strict::new(Device::tbu());
    device.set_event_bits(8);
    let mut pmu = pmu(&device);
    let [_, counter, ..] = pmu.counters();
    counter.count(Selection::raw(0x1234).unwrap());
    assert_eq!(diagnose(&device, &mut pmu, EXPECTED), []);
}

/// An earlier owner did not stop its counters, and they are about to wrap. They do not count during
/// a diagnosis. If the work wraps a counter, there is no interrupt.
#[test]
fn diagnosis_raises_no_interrupt() {
    for rounds in [0, 2] {
        let device = Strict::new(Device::tbu());
        device.power_up_with(Noise::Zeros);
        device.poke(device.at(0, 0xE04), 1);
        device.poke(device.at(0, 0xC00), 0xF);
        device.poke(device.at(0, 0xC40), 0xF);
        for counter in 0..4 {
            device.poke(device.at(0, 0x400 + 4 * counter), 0x80);
            device.poke(device.at(1, 4 * counter), u32::MAX);
        }
        let before = registers(&device);
        let diagnosis = pmu(&device).diagnose_with(EXPECTED, || {
            work(&device);
            for _ in 0..rounds {
                device.signal_raw(0x80, Stream::non_secure(0x42), u32::MAX);
            }
        });
        assert_eq!(findings(&diagnosis), []);
        assert_eq!(device.interrupts(), 0);
        assert_eq!(
            registers(&device) == before,
            rounds == 0,
            "the flag of the expected event's counter"
        );
    }
}
