//! Compares every event with the tables of the manual.
//!
//! Extract the rows from the document with a program, so that the test finds slips in the spec.

use skeleton_ip::{Selection, SkeletonIpEvent};

/// Code and name.
const EVENTS: [(u16, &str); 3] =
    [(0x00, "READ_REQUEST"), (0x01, "READ_STALL"), (0x02, "READ_DATA_BEAT")];

#[test]
fn events_are_those_of_the_manual() {
    for (code, name) in EVENTS {
        let found = SkeletonIpEvent::from_code(code).map(SkeletonIpEvent::name);
        assert_eq!(found, Some(name), "row {code:#04x} of the manual");
    }
    for event in SkeletonIpEvent::ALL {
        assert!(EVENTS.iter().any(|row| row.0 == event.code()), "{event:?} is no row of the manual");
    }
}

#[test]
fn exactly_the_documented_ids_are_listed() {
    for id in 0..=u16::MAX {
        let is_row = EVENTS.iter().any(|row| row.0 == id);
        assert_eq!(Selection::from_id(id).is_some(), is_row, "{id:#x}");
    }
}
