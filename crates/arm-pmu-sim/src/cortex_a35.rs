//! The performance monitor of the Cortex-A35.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/cortex-a35). The
//! value of PMCR_EL0 is from QEMU.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A35 core: PMUv3 in AArch64.
    CortexA35 = "cortex-a35";
    version: V3, counters: 6, idcode: 0x0A,
    midr of "r1p0": 0x411F_D040,
    events: [
        0x00..=0x1B, 0x1D, 0x1E, 0x60, 0x61, 0x73..=0x75, 0x77, 0x7A, 0x86, 0x87, 0xC0..=0xC2,
        0xC4..=0xCC, 0xD0..=0xD2, 0xE0..=0xE8,
    ],
}
