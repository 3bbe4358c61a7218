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
        0x60, 0x61, 0x66, 0x67, 0x70..=0x7A, 0x86, 0x87, 0xA0, 0xA2,
    ],
    own: [
        (0xC0, "L3D_CACHE_REFILL_PREFETCH"), (0xC1, "L2D_CACHE_REFILL_PREFETCH"),
        (0xC2, "L1D_CACHE_REFILL_PREFETCH"), (0xC3, "L2D_WS_MODE"), (0xC4, "L1D_WS_MODE_ENTRY"),
        (0xC5, "L1D_WS_MODE"), (0xC6, "PREDECODE_ERROR"), (0xC7, "L3D_WS_MODE"),
        (0xC9, "BR_COND_PRED"), (0xCA, "BR_INDIRECT_MIS_PRED"), (0xCB, "BR_INDIRECT_ADDR_MIS_PRED"),
        (0xCC, "BR_COND_MIS_PRED"), (0xCD, "BR_INDIRECT_ADDR_PRED"), (0xCE, "BR_RETURN_ADDR_PRED"),
        (0xCF, "BR_RETURN_ADDR_MIS_PRED"), (0xD0, "L2D_LLWALK_TLB"),
        (0xD1, "L2D_LLWALK_TLB_REFILL"), (0xD2, "L2D_L2WALK_TLB"), (0xD3, "L2D_L2WALK_TLB_REFILL"),
        (0xD4, "L2D_S2_TLB"), (0xD5, "L2D_S2_TLB_REFILL"), (0xD6, "L2D_CACHE_STASH_DROPPED"),
        (0xE1, "STALL_FRONTEND_CACHE"), (0xE2, "STALL_FRONTEND_TLB"),
        (0xE3, "STALL_FRONTEND_PDERR"), (0xE4, "STALL_BACKEND_ILOCK"),
        (0xE5, "STALL_BACKEND_ILOCK_AGU"), (0xE6, "STALL_BACKEND_ILOCK_FPU"),
        (0xE7, "STALL_BACKEND_LD"), (0xE8, "STALL_BACKEND_ST"), (0xE9, "STALL_BACKEND_LD_CACHE"),
        (0xEA, "STALL_BACKEND_LD_TLB"), (0xEB, "STALL_BACKEND_ST_STB"),
        (0xEC, "STALL_BACKEND_ST_TLB"),
    ],
}
