//! Every event against the tables of the manual.
//!
//! Let a program extract the rows from the document, so that a slip in the spec is seen.

use skeleton_ip::{Selection, SkeletonIpEvent};

/// Code and name.
const EVENTS: [(u16, &str); 3] =
    [(0x00, "READ_REQUEST"), (0x01, "READ_STALL"), (0x02, "READ_DATA_BEAT")];

#[test]
fn events_are_those_of_the_manual() {
    let events = SkeletonIpEvent::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}

#[test]
fn exactly_the_documented_ids_are_listed() {
    let valid = (0..=u16::MAX).filter(|id| Selection::from_id(*id).is_some());
    assert!(valid.eq(EVENTS.map(|(code, _)| code)));
}
