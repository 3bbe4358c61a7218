//! The performance monitor of the Cortex-A9.
//!
//! Sources of the events: the Cortex-A9 manual (DDI 0388I), tables 11-5 and 11-6, and Arm's machine-readable events
//! (ARM-software/data). According to the footnotes of table 11-5, events 0x08 and 0x0E do not exist.

crate::armv7::armv7_core! {
    /// Simulated performance monitor of a Cortex-A9 core: like a [`CortexA8`](crate::CortexA8),
    /// with other events and six counters. Bits of missing event counters read as zero and ignore writes.
    CortexA9 = "cortex-a9";
    counters: 6, registers: version_1(0x09, map::Missing::Zero),
    midr of "r3": 0x413F_C090,
    events: [
        0x00..=0x07, 0x09..=0x0D, 0x0F..=0x12, 0x40..=0x42, 0x50, 0x51, 0x60..=0x6B, 0x6E,
        0x70..=0x74, 0x80..=0x86, 0x8A..=0x8E, 0x90..=0x93, 0xA0..=0xA5,
    ],
}
