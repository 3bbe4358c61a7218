//! The performance monitor of the Cortex-A53.
//!
//! Sources: one page of the table of events in the manual (DDI 0500), and Arm's machine-readable events
//! (ARM-software/data), which cite the manual. PMCEID0_EL0 lacks event 0x0E, about which sources differ: see
//! specs/cortex-a53/events.yaml.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A53 core: PMUv3 in AArch64 with six event counters.
    ///
    /// A counter counts only at the [levels](Self::set_level) that its filter selects. Any access
    /// to a counter at PMCR_EL0.N or above is a [violation](Self::violations): its effect on a real
    /// core is unpredictable. An odd counter with the event CHAIN (0x1E) counts the overflows of
    /// the counter below. PMCCFILTR_EL0 ignores an event number.
    CortexA53 = "cortex-a53";
    version: V3, counters: 6, idcode: 0x03, pmceid: [0x67FF_BFFF, 0],
    midr of "r0p4": 0x410F_D034,
    events: [
        0x00..=0x1A, 0x1D, 0x1E, 0x60, 0x61, 0x7A, 0x86, 0x87, 0xC0..=0xCC, 0xD0..=0xD2,
        0xE0..=0xE8,
    ],
}
