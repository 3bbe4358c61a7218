//! Compares the events of revision 0 with DDI 0470D and the Linux driver.

use arm_pmu_core::event::Unit;
use cci400::Event;
use cci400::r0::events::{MasterSource, SlaveSource};
use cci400::r0::{self, MasterEvent, SlaveEvent};

/// Code, name, and whether the event is a stall (a stall has no security state). The events are from the enumeration
/// in the Linux driver, in the words of this crate.
const SLAVE: [(u16, &str, bool); 20] = [
    (0x00, "READ_REQUEST_ANY", false),
    (0x01, "READ_REQUEST_DEVICE", false),
    (0x02, "READ_REQUEST_NON_SHAREABLE_OR_SYSTEM", false),
    (0x03, "READ_REQUEST_SHAREABLE", false),
    (0x04, "READ_REQUEST_CACHE_MAINTENANCE", false),
    (0x05, "READ_REQUEST_MEMORY_BARRIER", false),
    (0x06, "READ_REQUEST_SYNCHRONIZATION_BARRIER", false),
    (0x07, "READ_REQUEST_DVM_MESSAGE", false),
    (0x08, "READ_REQUEST_DVM_SYNCHRONIZATION", false),
    (0x09, "READ_TRACKER_FULL_STALL", true),
    (0x0A, "READ_DATA_SNOOP_HIT", false),
    (0x0B, "READ_DATA_STALL", true),
    (0x0C, "WRITE_REQUEST_ANY", false),
    (0x0D, "WRITE_REQUEST_DEVICE", false),
    (0x0E, "WRITE_REQUEST_NON_SHAREABLE_OR_SYSTEM", false),
    (0x0F, "WRITE_BACK_OR_WRITE_CLEAN", false),
    (0x10, "WRITE_UNIQUE", false),
    (0x11, "WRITE_LINE_UNIQUE", false),
    (0x12, "EVICT", false),
    (0x13, "WRITE_TRACKER_FULL_STALL", true),
];

const MASTER: [(u16, &str, bool); 7] = [
    (0x14, "SPECULATIVE_FETCH_RETRY", false),
    (0x15, "READ_ADDRESS_HAZARD_STALL", true),
    (0x16, "READ_ID_HAZARD_STALL", true),
    (0x17, "READ_TRACKER_FULL_STALL", true),
    (0x18, "READ_BARRIER_HAZARD_STALL", true),
    (0x19, "WRITE_BARRIER_HAZARD_STALL", true),
    (0x1A, "WRITE_TRACKER_FULL_STALL", true),
];

/// Checks that the rows and the events are the same, in the same order.
fn compare<E: Event>(rows: &[(u16, &str, bool)]) {
    let events = E::ALL.iter().map(|event| (event.code(), event.name(), event.secure_exempt()));
    assert!(events.eq(rows.iter().copied()));
    for event in E::ALL {
        assert_eq!(event.unit() == Unit::Cycles, event.secure_exempt(), "{}", event.name());
        assert_eq!(event.evntbus(), None, "nothing is known of the EVNTBUS of r0");
    }
}

#[test]
fn events_match_the_references() {
    compare::<SlaveEvent>(&SLAVE);
    compare::<MasterEvent>(&MASTER);
    let sources = SlaveSource::ALL.map(SlaveSource::name).into_iter();
    let sources = sources.chain(MasterSource::ALL.map(MasterSource::name));
    assert!(sources.eq(["S0", "S1", "S2", "S3", "S4", "M0", "M1", "M2"]));
}

#[test]
fn shared_ids_mean_the_same_in_both_revisions() {
    let mut both = 0;
    for id in (0..256).filter(|id| r0::Selection::from_id(*id).is_some()) {
        let Some(other) = cci400::Selection::from_id(id) else { continue };
        both += 1;
        assert_eq!(Some(other.to_string()), r0::Selection::from_id(id).map(|s| s.to_string()));
    }
    assert_eq!(both, 5 * 20, "slave events only");
}
