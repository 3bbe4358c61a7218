//! Events of the manual (101542_0102_09, Tables 2-6 to 2-9), listed independently of the specs.

use std::ops::RangeInclusive;

use mmu700::{Event, TbuEvent, TcuEvent};

/// Event IDs; whether SMMU_PMCG_SMR0 filters them; whether Secure; whether architectural.
type Row = (RangeInclusive<u16>, bool, bool, bool);

/// Tables 2-6 and 2-8.
const TCU: [Row; 4] = [
    (0x00..=0x00, false, false, true),
    (0x01..=0x06, true, false, true),
    (0x80..=0x94, true, false, false),
    (0xA0..=0xA0, true, false, false),
];

/// Tables 2-7 and 2-9.
const TBU: [Row; 9] = [
    (0x00..=0x00, false, false, true),
    (0x01..=0x02, true, false, true),
    (0x07..=0x07, true, false, true),
    (0x80..=0x84, true, false, false),
    (0x85..=0x87, false, true, false),
    (0x8B..=0x8C, true, false, false),
    (0x8D..=0x8D, false, false, false),
    (0xD0..=0xD7, false, false, false),
    (0xE0..=0xE7, false, false, false),
];

/// Checks that the rows and the events are the same, in the same order.
fn compare<E: Event>(rows: &[Row]) {
    let found = E::ALL.iter().map(|event| {
        (event.code(), event.filterable(), event.secure_only(), event.architectural())
    });
    let expected = rows.iter().flat_map(|(codes, filterable, secure, architectural)| {
        codes.clone().map(|code| (code, *filterable, *secure, *architectural))
    });
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn events_match_the_manual() {
    compare::<TcuEvent>(&TCU);
    compare::<TbuEvent>(&TBU);
}

#[test]
fn event_numbers_keep_their_names() {
    let name = |code| TbuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x8B), Some("DCMO_DOWNGRADE"));
    assert_eq!(name(0xE7), Some("LTI_PORT_7_OUT_OF_TRANSLATION_TOKENS"));
    let name = |code| TcuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x94), Some("CONFIGURATION_CACHE_LOOKUP_MISS"));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    let cycles = |event: &TbuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    let codes: Vec<_> = TbuEvent::ALL.iter().filter(|e| cycles(e)).map(|e| e.code()).collect();
    let ports = (0xD0..=0xD7).chain(0xE0..=0xE7);
    assert_eq!(codes, [0x00, 0x85, 0x86, 0x87].into_iter().chain(ports).collect::<Vec<_>>());
    let cycles = |event: &TcuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    assert_eq!(TcuEvent::ALL.iter().filter(|event| cycles(event)).count(), 1);
}
