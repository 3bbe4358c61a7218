//! Events of the manual (100310, Tables 2-5 to 2-8), extracted independently of the specs.

use std::ops::RangeInclusive;

use mmu600::{Event, TbuEvent, TcuEvent};

/// Event IDs; whether SMMU_PMCG_SMR0 filters them; whether Secure; whether architectural.
type Row = (RangeInclusive<u16>, bool, bool, bool);

/// Tables 2-5 and 2-7.
const TCU: [Row; 5] = [
    (0x00..=0x00, false, false, true),
    (0x01..=0x06, true, false, true),
    (0x80..=0x93, true, false, false),
    (0xA0..=0xA0, true, false, false),
    (0xC0..=0xC8, false, true, false),
];

/// Tables 2-6 and 2-8.
const TBU: [Row; 7] = [
    (0x00..=0x00, false, false, true),
    (0x01..=0x02, true, false, true),
    (0x07..=0x07, true, false, true),
    (0x80..=0x84, true, false, false),
    (0x85..=0x87, false, true, false),
    (0x88..=0x8C, true, false, false),
    (0xC0..=0xC0, false, true, false),
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
fn units_have_different_event_numbers() {
    assert_eq!(TcuEvent::from_code(0x06), Some(TcuEvent::AtsTranslationRequest));
    assert_eq!(TbuEvent::from_code(0x07), Some(TbuEvent::AtsTranslatedTransaction));
    let name = |code| TbuEvent::from_code(code).map(Event::name);
    assert_eq!(name(0x85), Some("SLOTS_FULL"));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    let cycles = |event: &TbuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    let codes: Vec<_> = TbuEvent::ALL.iter().filter(|e| cycles(e)).map(|e| e.code()).collect();
    assert_eq!(codes, [0x00, 0x85, 0x86, 0x87]);
    let cycles = |event: &TcuEvent| event.unit() == arm_pmu_core::event::Unit::Cycles;
    assert_eq!(TcuEvent::ALL.iter().filter(|event| cycles(event)).count(), 1);
}
