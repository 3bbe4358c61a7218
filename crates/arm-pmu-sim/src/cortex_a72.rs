//! The performance monitor of the Cortex-A72.
//!
//! Sources: the first part of the table of events in the manual (100095), and Arm's machine-readable events
//! (ARM-software/data), which cite the manual.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A72 core: PMUv3 in AArch64.
    CortexA72 = "cortex-a72";
    version: V3, counters: 6, idcode: 0x02,
    midr of "r0p3": 0x410F_D083,
    events: [
        0x00..=0x05, 0x08..=0x0B, 0x10..=0x1E, 0x40..=0x43, 0x46..=0x48, 0x4C, 0x4D, 0x50..=0x53,
        0x56..=0x58, 0x60..=0x6A, 0x6C..=0x6E, 0x70..=0x7A, 0x7C..=0x7E, 0x81..=0x84, 0x86..=0x88,
        0x8A..=0x91,
    ],
}
