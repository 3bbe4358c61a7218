//! Compares the ids of sources with Arm's profiler, and checks the differences from the CCI-550.

use cci500::events::{GlobalSource, MasterSource, SlaveSource};
use cci500::{Event, GlobalEvent, MasterEvent, SlaveEvent};

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

/// The tests of simulated devices compare the codes, and whether events are Secure exempt or never fire.
#[test]
fn attributes_match_cci550_without_evntbus_bits() {
    fn ace_only<E: Event>() -> Vec<u16> {
        assert!(E::ALL.iter().all(|event| event.evntbus().is_none()));
        E::ALL.iter().filter(|event| event.ace_only()).map(|event| event.code()).collect()
    }
    assert_eq!(ace_only::<SlaveEvent>(), [0x04, 0x05, 0x0D, 0x10, 0x11, 0x14, 0x15, 0x1D]);
    assert_eq!((ace_only::<MasterEvent>(), ace_only::<GlobalEvent>()), (vec![], vec![]));
}
