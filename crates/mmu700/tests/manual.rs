//! Events of the manual (101542_0102_09, Tables 2-6 to 2-9), listed independently of the specs.

use mmu700::{Event, TbuEvent, TcuEvent};

/// Event ID, SMMU_PMCG_SMR0 filterable, Secure, listed in a table of architectural events.
type Row = (u16, bool, bool, bool);

/// Tables 2-6 and 2-8.
const TCU: [Row; 29] = [
    (0x00, false, false, true),
    (0x01, true, false, true),
    (0x02, true, false, true),
    (0x03, true, false, true),
    (0x04, true, false, true),
    (0x05, true, false, true),
    (0x06, true, false, true),
    (0x80, true, false, false),
    (0x81, true, false, false),
    (0x82, true, false, false),
    (0x83, true, false, false),
    (0x84, true, false, false),
    (0x85, true, false, false),
    (0x86, true, false, false),
    (0x87, true, false, false),
    (0x88, true, false, false),
    (0x89, true, false, false),
    (0x8A, true, false, false),
    (0x8B, true, false, false),
    (0x8C, true, false, false),
    (0x8D, true, false, false),
    (0x8E, true, false, false),
    (0x8F, true, false, false),
    (0x90, true, false, false),
    (0x91, true, false, false),
    (0x92, true, false, false),
    (0x93, true, false, false),
    (0x94, true, false, false),
    (0xA0, true, false, false),
];

/// Tables 2-7 and 2-9.
const TBU: [Row; 31] = [
    (0x00, false, false, true),
    (0x01, true, false, true),
    (0x02, true, false, true),
    (0x07, true, false, true),
    (0x80, true, false, false),
    (0x81, true, false, false),
    (0x82, true, false, false),
    (0x83, true, false, false),
    (0x84, true, false, false),
    (0x85, false, true, false),
    (0x86, false, true, false),
    (0x87, false, true, false),
    (0x8B, true, false, false),
    (0x8C, true, false, false),
    (0x8D, false, false, false),
    (0xD0, false, false, false),
    (0xD1, false, false, false),
    (0xD2, false, false, false),
    (0xD3, false, false, false),
    (0xD4, false, false, false),
    (0xD5, false, false, false),
    (0xD6, false, false, false),
    (0xD7, false, false, false),
    (0xE0, false, false, false),
    (0xE1, false, false, false),
    (0xE2, false, false, false),
    (0xE3, false, false, false),
    (0xE4, false, false, false),
    (0xE5, false, false, false),
    (0xE6, false, false, false),
    (0xE7, false, false, false),
];

/// Checks that the rows and the events are the same, in the same order.
fn compare<E: Event>(rows: &[Row]) {
    let found = E::ALL.iter().map(|event| {
        (event.code(), event.filterable(), event.secure_only(), event.architectural())
    });
    assert_eq!(found.collect::<Vec<_>>(), rows);
}

#[test]
fn events_match_the_manual() {
    compare::<TcuEvent>(&TCU);
    compare::<TbuEvent>(&TBU);
}

#[test]
fn events_differ_from_the_mmu_600() {
    let name = |code| TbuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x88), None);
    assert_eq!(name(0x8B), Some("DCMO_DOWNGRADE"));
    assert_eq!(name(0xC0), None);
    assert_eq!(name(0xE7), Some("LTI_PORT_7_OUT_OF_TRANSLATION_TOKENS"));
    let name = |code| TcuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x94), Some("CONFIGURATION_CACHE_LOOKUP_MISS"));
    assert_eq!(name(0xC8), None);
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
