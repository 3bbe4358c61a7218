//! The performance monitor of the Cortex-A35.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/cortex-a35). The
//! value of PMCR_EL0 is from QEMU.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A35 core: PMUv3 in AArch64.
    CortexA35 = "cortex-a35";
    version: V3, counters: 6, idcode: 0x0A,
    midr of "r1p0": 0x411F_D040,
    events: [0x00..=0x1B, 0x1D, 0x1E, 0x60, 0x61, 0x73..=0x75, 0x77, 0x7A, 0x86, 0x87],
    own: [
        (0xC0, "EXT_MEM_REQ"), (0xC1, "EXT_MEM_REQ_NC"), (0xC2, "PREFETCH_LINEFILL"),
        (0xC4, "READ_ALLOC_ENTER"), (0xC5, "READ_ALLOC"), (0xC6, "PRE_DECODE_ERR"),
        (0xC7, "STALL_SB_FULL"), (0xC8, "EXT_SNOOP"), (0xC9, "BR_COND"),
        (0xCA, "BR_INDIRECT_MISPRED"), (0xCB, "BR_INDIRECT_MISPRED_ADDR"),
        (0xCC, "BR_COND_MISPRED"), (0xD0, "L1I_CACHE_ERR"), (0xD1, "L1D_CACHE_ERR"),
        (0xD2, "TLB_ERR"), (0xE0, "OTHER_IQ_DEP_STALL"), (0xE1, "IC_DEP_STALL"),
        (0xE2, "IUTLB_DEP_STALL"), (0xE3, "DECODE_DEP_STALL"), (0xE4, "OTHER_INTERLOCK_STALL"),
        (0xE5, "AGU_DEP_STALL"), (0xE6, "SIMD_DEP_STALL"), (0xE7, "LD_DEP_STALL"),
        (0xE8, "ST_DEP_STALL"),
    ],
}
