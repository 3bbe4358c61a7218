//! The performance monitor of the Cortex-A55.
//!
//! Sources: the first rows of the table of events in the manual (100442), and Arm's machine-readable events
//! (ARM-software/data), which cite the manual. The value of PMCR_EL0 is from the review of QEMU's patch for this
//! core.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A55 core: PMUv3 in AArch64.
    CortexA55 = "cortex-a55";
    version: V3p1, counters: 6, idcode: 0x45,
    midr of "r1p0": 0x411F_D050,
    events: [
        0x00..=0x1E, 0x20..=0x26, 0x29..=0x2B, 0x2D, 0x2F, 0x34..=0x38, 0x40..=0x45, 0x50..=0x53,
        0x60, 0x61, 0x66, 0x67, 0x70..=0x7A, 0x86, 0x87, 0xA0, 0xA2, 0xC0..=0xC7, 0xC9..=0xD6,
        0xE1..=0xEC,
    ],
}
