//! Events of the manual (100282_0100_00_en, 2.4.4, Tables 2-2 to 2-5), extracted independently of the specs.

use cci550::events::{GlobalSource, MasterSource, SlaveSource};
use cci550::{Event, GlobalEvent, MasterEvent, SlaveEvent};

/// Code, EVNTBUS offset, Secure exempt, ACE only.
type Row = (u16, u16, bool, bool);

/// Table of the slave events.
const SLAVE: [Row; 32] = [
    (0x00, 0, false, false),
    (0x01, 1, false, false),
    (0x02, 2, false, false),
    (0x03, 3, false, false),
    (0x04, 4, false, true),
    (0x05, 5, false, true),
    (0x06, 6, false, false),
    (0x07, 7, false, false),
    (0x08, 8, true, false),
    (0x09, 9, true, false),
    (0x0A, 10, false, false),
    (0x0B, 11, false, false),
    (0x0C, 12, false, false),
    (0x0D, 13, false, true),
    (0x0E, 14, false, false),
    (0x0F, 15, false, false),
    (0x10, 16, false, true),
    (0x11, 17, false, true),
    (0x12, 18, true, false),
    (0x13, 19, false, false),
    (0x14, 20, false, true),
    (0x15, 21, false, true),
    (0x16, 22, true, false),
    (0x17, 23, false, false),
    (0x18, 24, true, false),
    (0x19, 25, false, false),
    (0x1A, 26, true, false),
    (0x1B, 27, true, false),
    (0x1C, 28, false, false),
    (0x1D, 29, true, true),
    (0x1E, 30, false, false),
    (0x1F, 31, false, false),
];

/// Table of the master events.
const MASTER: [Row; 7] = [
    (0x00, 0, true, false),
    (0x01, 1, true, false),
    (0x02, 2, false, false),
    (0x03, 3, true, false),
    (0x04, 4, false, false),
    (0x05, 5, true, false),
    (0x06, 6, true, false),
];

/// Table of the global events.
const GLOBAL: [Row; 16] = [
    (0x00, 0, false, false),
    (0x01, 1, false, false),
    (0x02, 2, false, false),
    (0x03, 3, false, false),
    (0x04, 4, false, false),
    (0x05, 5, false, false),
    (0x06, 6, false, false),
    (0x07, 7, false, false),
    (0x08, 8, false, false),
    (0x09, 9, true, false),
    (0x0A, 10, false, false),
    (0x0B, 11, false, false),
    (0x0C, 12, true, false),
    (0x0D, 13, false, false),
    (0x0E, 14, true, false),
    (0x0F, 15, true, false),
];
/// Checks that the rows and the events are the same, in the same order.
fn compare<E: Event>(rows: &[Row]) {
    let found = E::ALL.iter().map(|event| {
        let evntbus = event.evntbus().expect("every event of a CCI-550 is on EVNTBUS");
        (event.code(), evntbus, event.secure_exempt(), event.ace_only())
    });
    assert_eq!(found.collect::<Vec<_>>(), rows);
}

#[test]
fn events_match_the_manual() {
    compare::<SlaveEvent>(&SLAVE);
    compare::<MasterEvent>(&MASTER);
    compare::<GlobalEvent>(&GLOBAL);
}

#[test]
fn one_event_never_fires() {
    let silent: Vec<_> = SlaveEvent::ALL.iter().filter(|event| event.never_fires()).collect();
    assert_eq!(silent, [&SlaveEvent::WriteEvict]);
    assert_eq!(SlaveEvent::WriteEvict.code(), 0x11);
    assert!(!MasterEvent::ALL.iter().any(|event| event.never_fires()));
    assert!(!GlobalEvent::ALL.iter().any(|event| event.never_fires()));
}

#[test]
fn sources_match_the_manual() {
    let slaves = SlaveSource::ALL.map(|source| (source.id(), source.name()));
    let expected = ["SI0", "SI1", "SI2", "SI3", "SI4", "SI5", "SI6"];
    assert!(slaves.into_iter().eq((0x0..=0x6).zip(expected)));
    let masters = MasterSource::ALL.map(|source| (source.id(), source.name()));
    let expected = ["MI0", "MI1", "MI2", "MI3", "MI4", "MI5", "MI6"];
    assert!(masters.into_iter().eq((0x8..=0xE).zip(expected)));
    assert_eq!(GlobalSource::ALL.map(GlobalSource::id), [0xF]);
}
