//! Compares the numbers of events and sources with software that programs the CCI-500, and checks the differences
//! from the CCI-550.
//!
//! The ranges are from the Linux driver (`cci500_validate_hw_event`), and the ids of sources from
//! Arm's profiler.

use cci500::events::{GlobalSource, MasterSource, SlaveSource};
use cci500::{Event, GlobalEvent, MasterEvent, SlaveEvent};

/// Checks that exactly the codes from 0 to `last` are events.
fn ends_with<E: Event>(last: u16) {
    for code in 0..=u16::MAX {
        let event = E::from_code(code);
        assert_eq!(event.is_some(), code <= last, "code {code:#04x}: {event:?}");
    }
}

#[test]
fn events_match_linux() {
    ends_with::<SlaveEvent>(0x1F);
    ends_with::<MasterEvent>(0x06);
    ends_with::<GlobalEvent>(0x0F);
}

#[test]
fn seven_slave_and_six_master_sources_exist() {
    let slaves = SlaveSource::ALL.map(|source| (source.id() << 5, source.name()));
    let expected = ["SI0", "SI1", "SI2", "SI3", "SI4", "SI5", "SI6"];
    assert!(slaves.into_iter().eq((0x000..=0x0C0).step_by(0x20).zip(expected)));
    let masters = MasterSource::ALL.map(|source| (source.id() << 5, source.name()));
    let expected = ["MI0", "MI1", "MI2", "MI3", "MI4", "MI5"];
    assert!(masters.into_iter().eq((0x100..=0x1A0).step_by(0x20).zip(expected)));
    assert_eq!(GlobalSource::ALL.map(|source| source.id() << 5), [0x1E0]);
}

#[test]
fn attributes_match_cci550_without_evntbus_bits() {
    fn codes<E: Event>(has: impl Fn(&E) -> bool) -> Vec<u16> {
        assert!(E::ALL.iter().all(|event| event.evntbus().is_none()));
        E::ALL.iter().filter(|event| has(event)).map(|event| event.code()).collect()
    }
    let exempt = [0x08, 0x09, 0x12, 0x16, 0x18, 0x1A, 0x1B, 0x1D];
    assert_eq!(codes(|event: &SlaveEvent| event.secure_exempt()), exempt);
    assert_eq!(codes(|event: &MasterEvent| event.secure_exempt()), [0, 1, 3, 5, 6]);
    assert_eq!(codes(|event: &GlobalEvent| event.secure_exempt()), [0x9, 0xC, 0xE, 0xF]);
    let ace = [0x04, 0x05, 0x0D, 0x10, 0x11, 0x14, 0x15, 0x1D];
    assert_eq!(codes(|event: &SlaveEvent| event.ace_only()), ace);
    assert_eq!(codes(|event: &SlaveEvent| event.never_fires()), [0x11]);
}
