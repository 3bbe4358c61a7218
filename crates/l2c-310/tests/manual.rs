//! Events from the manual, gator, Linux and NuttX, extracted independently of the spec.

use l2c_310::L2c310Event;

const EVENTS: [(u16, &str); 15] = [
    (0x01, "EVICTION"),
    (0x02, "DATA_READ_HIT"),
    (0x03, "DATA_READ_REQUEST"),
    (0x04, "DATA_WRITE_HIT"),
    (0x05, "DATA_WRITE_REQUEST"),
    (0x06, "DATA_WRITE_THROUGH_REQUEST"),
    (0x07, "INSTRUCTION_READ_HIT"),
    (0x08, "INSTRUCTION_READ_REQUEST"),
    (0x09, "WRITE_ALLOCATE"),
    (0x0A, "INTERNAL_PREFETCH_ALLOCATE"),
    (0x0B, "PREFETCH_HINT_HIT"),
    (0x0C, "PREFETCH_HINT_ALLOCATE"),
    (0x0D, "SPECULATIVE_READ_RECEIVED"),
    (0x0E, "SPECULATIVE_READ_CONFIRMED"),
    (0x0F, "PREFETCH_HINT_RECEIVED"),
];

#[test]
fn events_match_the_table() {
    let events = L2c310Event::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}
