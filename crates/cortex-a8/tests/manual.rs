//! Events of the manual (DDI 0344, Table 3.97), extracted independently of the spec.

use arm_pmu_core::event::UnknownCode;
use cortex_a8::{CortexA8Event, Event, Selection};

/// The rows that describe an event.
const EVENTS: [u16; 49] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C,
    0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x70, 0x71,
    0x72,
];

/// The rows that read "Reserved".
const RESERVED: [std::ops::RangeInclusive<u16>; 3] = [0x13..=0x3F, 0x60..=0x6F, 0x73..=0xFF];

/// Rows whose first sentence has the word "cycle".
const WITH_CYCLE: [u16; 7] = [0x11, 0x40, 0x56, 0x57, 0x58, 0x59, 0x5A];

#[test]
fn events_match_the_manual() {
    for code in EVENTS {
        assert!(
            CortexA8Event::from_code(code).is_some(),
            "row {code:#04x} of the manual is no event"
        );
    }
    for event in CortexA8Event::ALL {
        assert!(EVENTS.contains(&event.code()), "{event:?} is no row of the manual");
    }
    assert!(CortexA8Event::ALL.iter().map(|event| event.code()).eq(EVENTS), "their order");
}

#[test]
fn exactly_49_of_all_numbers_are_events() {
    let valid = (0..=u16::MAX).filter(|code| CortexA8Event::from_code(*code).is_some());
    assert_eq!(valid.clone().filter(|code| *code <= 0xFF).count(), 49, "of the 2^8 of PMXEVTYPER");
    assert_eq!(valid.count(), 49, "of the 2^16 that an event code can be");
    for code in (0..=u16::MAX).filter(|code| !EVENTS.contains(code)) {
        assert_eq!(CortexA8Event::try_from(code), Err(UnknownCode(code)), "{code:#x}");
    }
}

#[test]
fn no_reserved_number_is_an_event() {
    for code in RESERVED.into_iter().flatten() {
        assert_eq!(CortexA8Event::from_code(code), None, "{code:#x}");
    }
    // The table does not list the remaining five numbers.
    let listed = |code: &u16| {
        EVENTS.contains(code) || RESERVED.iter().any(|reserved| reserved.contains(code))
    };
    let silent: Vec<_> = (0..=0xFF).filter(|code| !listed(code)).collect();
    assert_eq!(silent, [0x5B, 0x5C, 0x5D, 0x5E, 0x5F]);
}

/// Other software uses 0xFF for the cycle counter, which has no event number in hardware.
#[test]
fn the_cycle_counter_is_not_event_0xff() {
    assert_eq!(CortexA8Event::from_code(0xFF), None);
    assert_eq!(Selection::from_id(0xFF), None);
    assert_eq!(CortexA8Event::from_code(0x11), Some(CortexA8Event::Cycle));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    let cycles = |event: &CortexA8Event| event.unit() == arm_pmu_core::event::Unit::Cycles;
    for event in CortexA8Event::ALL {
        // 0x57 counts the instructions of each cycle, not the cycles.
        let expected = event.code() != 0x57 && WITH_CYCLE.contains(&event.code());
        assert_eq!(cycles(event), expected, "{event:?}");
    }
}

#[test]
fn names_and_numbers_belong_together() {
    // Examples from each part of the table, by description.
    for (code, name) in [
        (0x00, "SOFTWARE_INCREMENT"),
        (0x03, "DATA_CACHE_REFILL"),
        (0x08, "INSTRUCTION_EXECUTED"),
        (0x43, "L2_CACHE_ACCESS"),
        (0x44, "L2_CACHE_MISS"),
        (0x56, "NO_INSTRUCTION_AVAILABLE"),
        (0x70, "PMUEXTIN_0"),
        (0x72, "PMUEXTIN_0_OR_1"),
    ] {
        assert_eq!(CortexA8Event::from_code(code).map(Event::name), Some(name), "{code:#04x}");
    }
}
