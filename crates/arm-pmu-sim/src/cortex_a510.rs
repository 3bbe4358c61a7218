//! The performance monitor of the Cortex-A510.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/cortex-a510).
//! PMCR_EL0 has no IMP or IDCODE from Armv9 on.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A510 core: PMUv3 in AArch64.
    CortexA510 = "cortex-a510";
    version: V3p5, counters: 6,
    midr of "r0p0": 0x410F_D460,
    events: [
        0x00..=0x0E, 0x10..=0x1E, 0x20..=0x26, 0x2B, 0x2D, 0x2F, 0x34..=0x45, 0x50..=0x53, 0x60,
        0x61, 0x66, 0x67, 0x70..=0x7A, 0x86, 0x87, 0xA0, 0xA2, 0x4005, 0x4006, 0x4009, 0x400B,
        0x400C, 0x400E, 0x4010..=0x4013, 0x4018..=0x401B, 0x4020..=0x4022, 0x4024..=0x4026, 0x8002,
        0x8006, 0x8014, 0x8018, 0x801C, 0x80E3, 0x80E7, 0x80EB, 0x80EF,
    ],
    own: [
        (0xC1, "L2D_CACHE_REFILL_PREFETCH"), (0xC2, "L1D_CACHE_REFILL_PREFETCH"),
        (0xC3, "L2D_WS_MODE"), (0xC4, "L1D_WS_MODE_ENTRY"), (0xC5, "L1D_WS_MODE"),
        (0xC7, "L3D_WS_MODE"), (0xC8, "LL_WS_MODE"), (0xC9, "BR_COND_PRED"),
        (0xCA, "BR_INDIRECT_MIS_PRED"), (0xCB, "BR_INDIRECT_ADDR_MIS_PRED"),
        (0xCC, "BR_COND_MIS_PRED"), (0xCD, "BR_INDIRECT_ADDR_PRED"), (0xCE, "BR_RETURN_ADDR_PRED"),
        (0xCF, "BR_RETURN_ADDR_MIS_PRED"), (0xD0, "L2D_WALK_TLB"), (0xD1, "L2D_WALK_TLB_REFILL"),
        (0xD4, "L2D_S2_TLB"), (0xD5, "L2D_S2_TLB_REFILL"), (0xD6, "L2D_CACHE_STASH_DROPPED"),
        (0xE1, "STALL_FRONTEND_CACHE"), (0xE2, "STALL_FRONTEND_TLB"),
        (0xE3, "STALL_FRONTEND_PDERR"), (0xE4, "STALL_BACKEND_ILOCK"),
        (0xE5, "STALL_BACKEND_ILOCK_ADDR"), (0xE6, "STALL_BACKEND_ILOCK_VPU"),
        (0xE7, "STALL_BACKEND_LD"), (0xE8, "STALL_BACKEND_ST"), (0xE9, "STALL_BACKEND_LD_CACHE"),
        (0xEA, "STALL_BACKEND_LD_TLB"), (0xEB, "STALL_BACKEND_ST_STB"),
        (0xEC, "STALL_BACKEND_ST_TLB"), (0xED, "STALL_BACKEND_VPU_HAZARD"),
        (0xEE, "STALL_SLOT_BACKEND_ILOCK"),
    ],
}
