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
    events: [0x00..=0x1A, 0x1D, 0x1E, 0x60, 0x61, 0x7A, 0x86, 0x87],
    own: [
        (0xC0, "EXT_MEM_REQ"), (0xC1, "EXT_MEM_REQ_NC"), (0xC2, "PREFETCH_LINEFILL"),
        (0xC3, "ICACHE_THROTTLE"), (0xC4, "READ_ALLOC_ENTER"), (0xC5, "READ_ALLOC"),
        (0xC6, "PRE_DECODE_ERR"), (0xC7, "STALL_SB_FULL"), (0xC8, "EXT_SNOOP"), (0xC9, "BR_COND"),
        (0xCA, "BR_INDIRECT_MISPRED"), (0xCB, "BR_INDIRECT_MISPRED_ADDR"),
        (0xCC, "BR_COND_MISPRED"), (0xD0, "L1I_CACHE_ERR"), (0xD1, "L1D_CACHE_ERR"),
        (0xD2, "TLB_ERR"), (0xE0, "OTHER_IQ_DEP_STALL"), (0xE1, "IC_DEP_STALL"),
        (0xE2, "IUTLB_DEP_STALL"), (0xE3, "DECODE_DEP_STALL"), (0xE4, "OTHER_INTERLOCK_STALL"),
        (0xE5, "AGU_DEP_STALL"), (0xE6, "SIMD_DEP_STALL"), (0xE7, "LD_DEP_STALL"),
        (0xE8, "ST_DEP_STALL"),
    ],
}
