//! Events of the manual (DDI 0344, Table 3.97), extracted independently of the spec.

use arm_pmu_core::event::Unit;
use cortex_a8::{CortexA8Event, Event};

/// The rows that describe an event. Other software uses 0xFF for the cycle counter, which has no event number.
const EVENTS: [u16; 49] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C,
    0x4D, 0x4E, 0x4F, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x70, 0x71,
    0x72,
];

/// Rows whose first sentence has the word "cycle".
const WITH_CYCLE: [u16; 7] = [0x11, 0x40, 0x56, 0x57, 0x58, 0x59, 0x5A];

#[test]
fn events_match_the_manual() {
    assert!(CortexA8Event::ALL.iter().map(|event| event.code()).eq(EVENTS));
}

#[test]
fn cycle_events_have_the_unit_cycles() {
    for event in CortexA8Event::ALL {
        // 0x57 counts the instructions of each cycle, not the cycles.
        let expected = event.code() != 0x57 && WITH_CYCLE.contains(&event.code());
        assert_eq!(event.unit() == Unit::Cycles, expected, "{event:?}");
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
