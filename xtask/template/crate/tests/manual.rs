//! Compares every event with the tables of the manual.
//!
//! Extract the rows from the document with a program, so that the test finds slips in the spec.

use skeleton_ip::{Selection, SkeletonIpEvent};

/// Code and name.
const EVENTS: &[(u16, &str)] = &[
    (0x00, "READ_REQUEST"),
    (0x01, "READ_STALL"),
    (0x02, "READ_DATA_BEAT"),
    (0x03, "WRITE_REQUEST"),
    (0x04, "WRITE_DATA_BEAT"),
    (0x05, "SNOOP_REQUEST"),
    (0x06, "SNOOP_HIT"),
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
