//! The StreamID filter of an MMU-600.

use super::*;

const IDS: [u32; 16] = [
    0, 1, 0x3F, 0x40, 0x41, 0x42, 0x43, 0x44, 0x47, 0x48, 0x7F, 0xFFFF, 0x7F_FFFF, 0x80_0000,
    0xBF_FFFF, 0xFF_FFFF,
];

/// Returns the Non-secure and the Secure StreamIDs for which one event each is counted.
fn passing(device: &Mmu600, filter: u32, smr: u32) -> [Vec<u32>; 2] {
    device.prepare();
    device.set(0, evtyper(0), filter | 0x1);
    device.set(0, SMR0, smr);
    // All counters use the filter of counter 0.
    device.select(3, EVENT);
    let passes = |stream: Stream| {
        let before = device.counts();
        device.signal_raw(EVENT, stream, 1);
        device.signal_raw(0x1, stream, 1);
        let after = device.counts();
        assert_eq!(after[0] - before[0], after[3] - before[3], "all counters alike");
        after[3] != before[3]
    };
    [Stream::non_secure, Stream::secure]
        .map(|stream| IDS.into_iter().filter(|id| passes(stream(*id))).collect())
}

fn check(filter: u32, smr: u32, expected: impl Fn(u32) -> bool) {
    let wanted: Vec<u32> = IDS.into_iter().filter(|id| expected(*id)).collect();
    let context = format!("{filter:#x} {smr:#x}");
    each(|device| {
        for (scr_so, sec_sid, non_secure, secure) in [
            (false, 0, true, false),
            (false, SEC_SID, true, false),
            (true, 0, true, false),
            (true, SEC_SID, false, true),
        ] {
            // If all bits are ones, both security states pass.
            let all = filter == SPAN && smr == 0xFF_FFFF;
            let (non_secure, secure) = (non_secure || all, secure || all && scr_so);
            device.set_secure_observation(scr_so);
            let found = passing(device, filter | sec_sid, smr);
            assert_eq!(found[0], if non_secure { &*wanted } else { &[] }, "{context} {sec_sid:#x}");
            assert_eq!(found[1], if secure { &*wanted } else { &[] }, "{context} {sec_sid:#x}");
        }
    });
}

#[test]
fn exact_filter_passes_one_stream() {
    for smr in IDS {
        check(0, smr, |id| id == smr);
    }
}

#[test]
fn span_filter_passes_an_aligned_range() {
    check(SPAN, 0x42, |id| (0x42..=0x43).contains(&id));
    check(SPAN, 0x40, |id| (0x40..=0x41).contains(&id));
    check(SPAN, 0x41, |id| (0x40..=0x43).contains(&id));
    check(SPAN, 0x43, |id| (0x40..=0x47).contains(&id));
    check(SPAN, 0x3F, |id| id <= 0x7F);
    check(SPAN, 0, |id| id <= 1);
    check(SPAN, 0xBF_FFFF, |id| id >= 0x80_0000);
    check(SPAN, 0x3F_FFFF, |id| id <= 0x7F_FFFF);
}

#[test]
fn longest_span_passes_one_security_state() {
    check(SPAN, 0x7F_FFFF, |_| true);
}

#[test]
fn span_of_all_ones_passes_all_streams() {
    check(SPAN, 0xFF_FFFF, |_| true);
}

#[test]
fn only_counter_0_has_a_filter() {
    each(|device| {
        let page0 = device.page0();
        for counter in 0..4 {
            page0.write(evtyper(counter), OVFCAP | SEC_SID | SPAN | 1 << 28 | 0x1_0002);
            let expected = OVFCAP | 2 | if counter == 0 { SEC_SID | SPAN } else { 0 };
            assert_eq!(page0.read(evtyper(counter)), expected);
        }
    });
}

/// A former defect of Linux (corrected in its commit 4c1daba15c20): programming a second event changed the
/// count of the first.
#[test]
fn rewriting_evtyper_0_changes_the_filter() {
    each(|device| {
        device.prepare();
        device.set(0, SMR0, 0x41);
        device.select(1, EVENT);
        device.signal_raw(EVENT, Stream::non_secure(0x42), 1);
        assert_eq!(device.counts()[1], 1, "of a span");
        device.page0().write(evtyper(0), 0x1);
        device.signal_raw(EVENT, Stream::non_secure(0x42), 1);
        assert_eq!(device.counts()[1], 1, "no longer of a span");
    });
}
