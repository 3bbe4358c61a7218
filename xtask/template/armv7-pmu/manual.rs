//! Compares every event with the table of the manual.
//!
//! Extract the rows from the document with a program, so that the test finds slips in the spec.

use skeleton_ip::{Selection, SkeletonIpEvent};

/// Code and name.
const EVENTS: &[(u16, &str)] = &[
    (0x00, "SW_INCR"),
    (0x01, "L1I_CACHE_REFILL"),
    (0x02, "L1I_TLB_REFILL"),
    (0x03, "L1D_CACHE_REFILL"),
    (0x04, "L1D_CACHE"),
    (0x05, "L1D_TLB_REFILL"),
    (0x08, "INST_RETIRED"),
    (0x11, "CPU_CYCLES"),
];

#[test]
fn events_match_the_manual() {
    let events = SkeletonIpEvent::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS.iter().copied()));
}

#[test]
fn exactly_the_documented_ids_are_listed() {
    for id in 0..=u16::MAX {
        let is_row = EVENTS.iter().any(|row| row.0 == id);
        assert_eq!(Selection::from_id(id).is_some(), is_row, "{id:#x}");
    }
}
