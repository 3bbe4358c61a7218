//! Compares every event with the tables of the manual (DDI 0470I, 2.4.1, Tables 2.1 to 2.4).
//!
//! A program extracted the numbers in the rows below from the document. The specs were written by
//! hand. This test compares the two.

use cci400::events::{MasterSource, SlaveSource};
use cci400::{Event, MasterEvent, Selection, SlaveEvent};

/// Code and EVNTBUS offset.
type Row = (u16, u16);

/// Table of the slave events.
const SLAVE: [Row; 21] = [
    (0x00, 0),
    (0x01, 1),
    (0x02, 2),
    (0x03, 3),
    (0x04, 4),
    (0x05, 5),
    (0x06, 6),
    (0x07, 7),
    (0x08, 8),
    (0x09, 9),
    (0x0A, 10),
    (0x0B, 11),
    (0x0C, 12),
    (0x0D, 13),
    (0x0E, 14),
    (0x0F, 15),
    (0x10, 16),
    (0x11, 17),
    (0x12, 18),
    (0x13, 19),
    (0x14, 20),
];

/// Table of the master events.
const MASTER: [Row; 18] = [
    (0x00, 0),
    (0x01, 1),
    (0x02, 2),
    (0x03, 3),
    (0x04, 4),
    (0x05, 5),
    (0x06, 6),
    (0x07, 7),
    (0x08, 8),
    (0x09, 9),
    (0x0A, 10),
    (0x0B, 11),
    (0x0C, 12),
    (0x0D, 13),
    (0x0E, 14),
    (0x0F, 15),
    (0x10, 16),
    (0x11, 17),
];

/// Table of EVNTBUS: high bit, low bit, interface.
const EVNTBUS: [(u16, u16, &str); 8] = [
    (158, 141, "AMI2"),
    (140, 123, "AMI1"),
    (122, 105, "AMI0"),
    (104, 84, "ASI4"),
    (83, 63, "ASI3"),
    (62, 42, "ASI2"),
    (41, 21, "ASI1"),
    (20, 0, "ASI0"),
];

/// Checks that every row is an event, and every event a row.
fn compare<E: Event>(rows: &[Row]) {
    let found = |event: E| {
        let evntbus = event.evntbus().expect("every event of a CCI-400 is on EVNTBUS");
        (event.code(), evntbus)
    };
    for row in rows {
        let event = E::from_code(row.0);
        assert_eq!(
            event.map(found).as_ref(),
            Some(row),
            "row {:#04x} of the manual: {event:?}",
            row.0
        );
    }
    let is_row = |event: &E| rows.iter().any(|row| row.0 == event.code());
    let none: Vec<_> = E::ALL.iter().filter(|event| !is_row(event)).collect();
    assert!(none.is_empty(), "no rows of the manual: {none:?}");
    assert!(
        E::ALL.iter().map(|event| event.code()).eq(rows.iter().map(|row| row.0)),
        "their order"
    );
}

#[test]
fn events_match_the_manual() {
    compare::<SlaveEvent>(&SLAVE);
    compare::<MasterEvent>(&MASTER);
}

#[test]
fn secure_exempt_are_the_master_events_of_the_note() {
    let exempt = |event: &MasterEvent| matches!(event.code(), 0x2 | 0x09..=0x10);
    for event in MasterEvent::ALL {
        assert_eq!(event.secure_exempt(), exempt(event), "{event:?}");
    }
    for event in SlaveEvent::ALL {
        assert!(!event.secure_exempt(), "{event:?}");
    }
}

#[test]
fn sources_match_the_manual() {
    let slaves = SlaveSource::ALL.map(|source| (source.id(), source.name()));
    assert_eq!(slaves, [(0, "S0"), (1, "S1"), (2, "S2"), (3, "S3"), (4, "S4")]);
    let masters = MasterSource::ALL.map(|source| (source.id(), source.name()));
    assert_eq!(masters, [(5, "M0"), (6, "M1"), (7, "M2")]);
}

#[test]
fn exactly_the_documented_codes_are_events() {
    fn valid<E: Event>() -> Vec<u16> {
        (0..=u16::MAX).filter(|code| E::from_code(*code).is_some()).collect()
    }
    assert_eq!(valid::<SlaveEvent>(), (0x00..=0x14).collect::<Vec<_>>());
    assert_eq!(valid::<MasterEvent>(), (0x00..=0x11).collect::<Vec<_>>());
}

#[test]
fn exactly_159_of_the_256_event_ids_are_listed() {
    let valid = (0..=u16::MAX).filter(|id| Selection::from_id(*id).is_some());
    let is_listed = |id: u16| match id >> 5 {
        0..=4 => id & 0x1F <= 0x14,
        5..=7 => id & 0x1F <= 0x11,
        _ => false,
    };
    for id in 0..=u16::MAX {
        assert_eq!(Selection::from_id(id).is_some(), is_listed(id), "{id:#x}");
    }
    assert_eq!(valid.count(), 159);
}

#[test]
fn every_bit_of_evntbus_is_driven_by_one_event() {
    let mut bits: Vec<u16> = (0..256)
        .filter_map(Selection::from_id)
        .map(|selection| selection.evntbus().expect("the whole bus is allocated"))
        .collect();
    bits.sort_unstable();
    assert!(bits.into_iter().eq(0..159));
}

#[test]
fn each_interface_has_the_bits_of_the_table() {
    for (high, low, name) in EVNTBUS {
        let (kind, number) = name.split_at(3);
        let number: usize = number.parse().unwrap();
        let (base, events) = match kind {
            "ASI" => (SlaveSource::ALL[number].evntbus(), SLAVE.len()),
            _ => (MasterSource::ALL[number].evntbus(), MASTER.len()),
        };
        assert_eq!(base, Some(low), "{name}");
        assert_eq!(usize::from(high - low) + 1, events, "{name}");
    }
}
