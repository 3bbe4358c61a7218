//! The performance monitor of the Neoverse E1.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/neoverse-e1).
//! PMCEID0_EL0 and PMCEID1_EL0 are derived from these events; no source states PMCR_EL0.IDCODE, which is 0 here.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Neoverse E1 core: PMUv3 in AArch64.
    NeoverseE1 = "neoverse-e1";
    version: V3p1, counters: 6, idcode: 0x00, pmceid: [0x7FFF_7FFF, 0x01F0_AE7F],
    midr of "r0p0": 0x410F_D4A0,
    events: [
        0x00..=0x0E, 0x10..=0x1E, 0x20..=0x26, 0x29..=0x2B, 0x2D, 0x2F, 0x34..=0x38, 0x40..=0x45,
        0x50..=0x53, 0x60, 0x61, 0x66..=0x6A, 0x70..=0x75, 0x77..=0x7A, 0x7C, 0x86, 0x87, 0xA0,
        0xA2, 0xC0..=0xD4, 0xD6..=0xE4, 0xE8..=0xED, 0xF0..=0xF7,
    ],
}
