//! The performance monitor of the Cortex-A7.
//!
//! Source of the events: Arm's machine-readable events (ARM-software/data), which cite the manual (DDI 0464).

crate::armv7::armv7_core! {
    /// Simulated performance monitor of a Cortex-A7 core: like a [`CortexA8`](crate::CortexA8),
    /// with other events and version 2 of the PMU.
    ///
    /// Version 2 has PMOVSSET, and a filter: a counter counts only in the [modes](Self::set_mode) that bits 31 to 27 of
    /// its PMXEVTYPER select. If PMSELR is 31, PMXEVTYPER is the filter of the cycle counter, and ignores the event
    /// number. Bits of missing event counters read as zero and ignore writes.
    CortexA7 = "cortex-a7";
    counters: 4, registers: version_2(0x07),
    midr of "r0p5": 0x410F_C075,
    events: [
        0x00..=0x19, 0x1D, 0x60, 0x61, 0x86, 0x87, 0xC0..=0xC5, 0xC7..=0xCA,
    ],
}
