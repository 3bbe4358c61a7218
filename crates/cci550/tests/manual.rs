//! Facts of the manual about events (100282_0100_00_en, 2.4.4, Tables 2-2 to 2-5), extracted independently of the specs.

use cci550::events::{GlobalSource, MasterSource, SlaveSource};
use cci550::{Event, GlobalEvent, MasterEvent, SlaveEvent};

/// Checks that the EVNTBUS offset of each event equals its code. The tests of simulated devices compare the codes, and
/// whether events are Secure exempt or never fire. Returns the codes of events that only ACE masters cause.
fn ace_only<E: Event>() -> Vec<u16> {
    assert!(E::ALL.iter().all(|event| event.evntbus() == Some(event.code())));
    E::ALL.iter().filter(|event| event.ace_only()).map(|event| event.code()).collect()
}

#[test]
fn events_match_the_manual() {
    assert_eq!(ace_only::<SlaveEvent>(), [0x04, 0x05, 0x0D, 0x10, 0x11, 0x14, 0x15, 0x1D]);
    assert_eq!((ace_only::<MasterEvent>(), ace_only::<GlobalEvent>()), (vec![], vec![]));
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
