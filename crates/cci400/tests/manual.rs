//! Event codes of the manual (DDI 0470I, 2.4.1, Tables 2.1 to 2.4), extracted independently of the specs.

use std::ops::Range;

use cci400::events::{MasterSource, SlaveSource};
use cci400::{Event, MasterEvent, Selection, SlaveEvent};

/// Event codes in the tables of slave and master events. The EVNTBUS offset of each event equals its
/// code.
const SLAVE: Range<u16> = 0x00..0x15;
const MASTER: Range<u16> = 0x00..0x12;

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

/// Checks that the rows and the events are the same, in the same order.
fn compare<E: Event>(rows: Range<u16>) {
    let found = E::ALL.iter().map(|event| {
        let evntbus = event.evntbus().expect("every event of a CCI-400 is on EVNTBUS");
        (event.code(), evntbus)
    });
    assert!(found.eq(rows.map(|number| (number, number))));
}

#[test]
fn events_match_the_manual() {
    compare::<SlaveEvent>(SLAVE);
    compare::<MasterEvent>(MASTER);
}

#[test]
fn sources_match_the_manual() {
    let slaves = SlaveSource::ALL.map(|source| (source.id(), source.name()));
    assert_eq!(slaves, [(0, "S0"), (1, "S1"), (2, "S2"), (3, "S3"), (4, "S4")]);
    let masters = MasterSource::ALL.map(|source| (source.id(), source.name()));
    assert_eq!(masters, [(5, "M0"), (6, "M1"), (7, "M2")]);
}

#[test]
fn one_event_drives_each_evntbus_bit() {
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
