//! Compares every event with the tables of the manual.
//!
//! Extract the rows from the document with a program, so that the test finds slips in the spec.

use skeleton_ip::{Event, GlobalEvent, MasterEvent, Selection, SlaveEvent};

/// Code and name of the events of slave interfaces, master interfaces, and no interface.
const SLAVE: &[(u16, &str)] = &[
    (0x00, "READ_REQUEST_ANY"),
    (0x01, "READ_REQUEST_DEVICE"),
    (0x03, "READ_SHAREABLE_NON_ALLOCATING"),
    (0x04, "READ_SHAREABLE_ALLOCATING"),
    (0x08, "READ_DATA_BEAT"),
    (0x09, "READ_DATA_SNOOP_HIT"),
    (0x0A, "WRITE_REQUEST_ANY"),
    (0x10, "EVICT"),
    (0x11, "WRITE_EVICT"),
    (0x12, "WRITE_DATA_BEAT"),
];
const MASTER: &[(u16, &str)] =
    &[(0x00, "READ_DATA_BEAT"), (0x03, "READ_DATA_STALL"), (0x06, "WRITE_RESPONSE_STALL")];
const GLOBAL: &[(u16, &str)] = &[
    (0x08, "SNOOP_FILTER_BACK_INVALIDATION"),
    (0x0B, "GENERATED_WRITE"),
    (0x0F, "TZMP1_SNOOP_OVERRIDE"),
];

#[test]
fn events_match_the_manual() {
    fn check<E: Event>(rows: &[(u16, &str)]) {
        let events = E::ALL.iter().map(|event| (event.code(), event.name()));
        assert!(events.eq(rows.iter().copied()));
    }
    check::<SlaveEvent>(SLAVE);
    check::<MasterEvent>(MASTER);
    check::<GlobalEvent>(GLOBAL);
}

#[test]
fn exactly_the_documented_ids_are_listed() {
    for id in 0..=u16::MAX {
        let rows = match id >> 5 {
            0x0..=0x6 => SLAVE,
            0x8..=0xD => MASTER,
            0xF => GLOBAL,
            _ => &[],
        };
        let is_row = rows.iter().any(|row| row.0 == id & 0x1F);
        assert_eq!(Selection::from_id(id).is_some(), is_row, "{id:#x}");
    }
}
