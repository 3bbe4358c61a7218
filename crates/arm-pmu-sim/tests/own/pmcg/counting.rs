//! Events that an MMU-600 counts.

use super::*;

/// Returns the kind of an event in a unit: `c` counts as a cycle, `f` is filtered, `s` counts while
/// SCR.SO is 1, any other event never happens. Each string has a character for each event from
/// 0x00, 0x80, 0xA0 and 0xC0 on, as in 100310 tables 2-5 to 2-8.
fn table(device: &Mmu600, event: u16) -> u8 {
    let rows: [&[u8]; 4] = if device.length() == Mmu600::TCU_LENGTH {
        [b"cffffff", b"ffffffffffffffffffff", b"f", b"sssssssss"]
    } else {
        [b"cff    f", b"fffffsssfffff", b"", b"s"]
    };
    let (row, first) = match event {
        0x00..=0x7F => (0, 0x00),
        0x80..=0x9F => (1, 0x80),
        0xA0..=0xBF => (2, 0xA0),
        _ => (3, 0xC0),
    };
    rows[row].get(usize::from(event - first)).copied().unwrap_or(b' ')
}

#[test]
fn only_the_events_of_the_tables_happen() {
    each(|device| {
        device.prepare();
        for event in (0..0x400).chain([0x1001, 0x8000, 0xFFFF]) {
            for observed in [false, true] {
                // The filter passes either this StreamID or another one.
                for filtered in [false, true] {
                    for stream in [STREAM, Stream::secure(0x42)] {
                        device.set_secure_observation(observed);
                        device.set(0, SMR0, if filtered { 0x99 } else { 0x00FF_FFFF });
                        device.select(0, if filtered { 0x99 } else { 0 });
                        device.set(0, evtyper(0), if filtered { 0 } else { SPAN });
                        device.select(1, event);
                        device.set(1, evcntr(1), 0);
                        device.signal_raw(event, stream, 1);
                        let secure = stream != STREAM;
                        let expected = match table(device, event) {
                            b'c' => true,
                            b's' => observed,
                            b'f' => !filtered && (!secure || observed),
                            _ => false,
                        };
                        let count = device.get(1, evcntr(1));
                        let context = format!("{event:#x} {observed} {filtered} {secure}");
                        assert_eq!(count, u32::from(expected), "{context}");
                    }
                }
            }
        }
    });
}

#[test]
fn ungated_clock_cycles_are_event_0() {
    each(|device| {
        device.prepare();
        device.select(1, EVENT);
        device.clock(5);
        assert_eq!(device.counts(), [5, 0, 5, 5]);
        device.set_clock_gated(true);
        device.clock(10);
        device.signal_raw(0x0, STREAM, 10);
        device.signal_raw(EVENT, STREAM, 1);
        assert_eq!(device.counts(), [5, 1, 5, 5]);
        device.set_clock_gated(false);
        device.clock(100);
        assert_eq!(device.counts(), [105, 1, 105, 105]);
    });
}
