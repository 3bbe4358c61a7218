//! Compares facts of the manual that the simulated device does not have. The tests of simulated devices compare the codes
//! of events, and whether events are Secure exempt or never fire.
//!
//! Extract the facts from the document with a program, so that the test finds slips in the spec.

use skeleton_ip::events::{MasterSource, SlaveSource};
use skeleton_ip::{Event, SlaveEvent};

#[test]
fn sources_match_the_manual() {
    let slaves = SlaveSource::ALL.map(|source| (source.id(), source.name()));
    let expected = ["SI0", "SI1", "SI2", "SI3", "SI4", "SI5", "SI6"];
    assert!(slaves.into_iter().eq((0x0..=0x6).zip(expected)));
    let masters = MasterSource::ALL.map(|source| (source.id(), source.name()));
    let expected = ["MI0", "MI1", "MI2", "MI3", "MI4", "MI5"];
    assert!(masters.into_iter().eq((0x8..=0xD).zip(expected)));
}

#[test]
fn events_of_ace_interfaces_match_the_manual() {
    let of_ace = SlaveEvent::ALL.iter().filter(|event| event.ace_only());
    let codes = of_ace.map(|event| event.code()).collect::<Vec<_>>();
    assert_eq!(codes, [0x04, 0x05, 0x0D, 0x10, 0x11, 0x14, 0x15, 0x1D]);
}
