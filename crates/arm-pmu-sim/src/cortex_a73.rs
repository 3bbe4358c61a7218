//! The performance monitor of the Cortex-A73.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/cortex-a73).
//! PMCEID0_EL0 and PMCEID1_EL0 are derived from these events; no source states PMCR_EL0.IDCODE, which is 0 here.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A73 core: PMUv3 in AArch64.
    CortexA73 = "cortex-a73";
    version: V3, counters: 6, idcode: 0x00, pmceid: [0x7BFF_7F3F, 0],
    midr of "r0p0": 0x410F_D090,
    events: [
        0x00..=0x05, 0x08..=0x0E, 0x10..=0x19, 0x1B..=0x1E, 0x40, 0x41, 0x50, 0x51, 0x56..=0x58,
        0x62..=0x67, 0x6A, 0x6C, 0x6E, 0x70..=0x75, 0x77, 0x7A, 0x7C..=0x7E, 0x8A, 0xC0..=0xC4,
        0xD3, 0xD8..=0xDA, 0xDC, 0xDE..=0xEC,
    ],
}
