//! Compares events with the manual (DDI 0344, Table 3.97). The simulated core lists the codes of the table, typed from
//! the manual, independently of the spec.

use arm_pmu_core::event::Unit;
use arm_pmu_sim::CortexA8;
use cortex_a8::{CortexA8Event, Event};

/// Rows whose first sentence has the word "cycle".
const WITH_CYCLE: [u16; 7] = [0x11, 0x40, 0x56, 0x57, 0x58, 0x59, 0x5A];

#[test]
fn events_match_the_manual() {
    let codes = CortexA8Event::ALL.iter().map(|event| event.code());
    assert!(codes.eq(CortexA8::EVENTS.iter().map(|code| u16::from(*code))));
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
