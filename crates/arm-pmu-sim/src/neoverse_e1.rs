//! The performance monitor of the Neoverse E1.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/neoverse-e1). No
//! source states PMCR_EL0.IDCODE, which is 0 here.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Neoverse E1 core: PMUv3 in AArch64.
    NeoverseE1 = "neoverse-e1";
    version: V3p1, counters: 6, idcode: 0x00,
    midr of "r0p0": 0x410F_D4A0,
    events: [
        0x00..=0x0E, 0x10..=0x1E, 0x20..=0x26, 0x29..=0x2B, 0x2D, 0x2F, 0x34..=0x38, 0x40..=0x45,
        0x50..=0x53, 0x60, 0x61, 0x66..=0x6A, 0x70..=0x75, 0x77..=0x7A, 0x7C, 0x86, 0x87, 0xA0,
        0xA2,
    ],
    own: [
        (0xC0, "STB_STALL"), (0xC1, "BIU_EXT_MEM_REQ"), (0xC2, "BIU_EXT_MEM_REQ_NC"),
        (0xC3, "L1D_PREF_LINE_FILL"), (0xC4, "L2D_PREF_LINE_FILL"), (0xC5, "L3_PREF_LINE_FILL"),
        (0xC6, "L1D_WS_MODE_ENTER"), (0xC7, "L1D_WS_MODE"), (0xC8, "L2D_WS_MODE"),
        (0xC9, "L3D_WS_MODE"), (0xCA, "TLB_L2TLB_LLWALK_ACCESS"), (0xCB, "TLB_L2TLB_LLWALK_REFILL"),
        (0xCC, "TLB_L2TLB_L2WALK_ACCESS"), (0xCD, "TLB_L2TLB_L2WALK_REFILL"),
        (0xCE, "TLB_L2TLB_S2_ACCESS"), (0xCF, "TLB_L2TLB_S2_REFILL"), (0xD0, "IFU_IC_MISS_WAIT"),
        (0xD1, "IFU_IUTLB_MISS_WAIT"), (0xD2, "IFU_MICRO_COND_MISPRED"),
        (0xD3, "IFU_MICRO_CADDR_MISPRED"), (0xD4, "IFU_MICRO_HIT"), (0xD6, "IFU_MICRO_NEG_HIT"),
        (0xD7, "IFU_MICRO_CORRECTION"), (0xD8, "IFU_MICRO_NO_INSTR1"), (0xD9, "IFU_MICRO_NO_PRED"),
        (0xDA, "IFU_FLUSHED_TLB_MISS"), (0xDB, "IFU_FLUSHED_EXCL_TLB_MISS"),
        (0xDC, "IFU_ALL_THRDS_RDY"), (0xDD, "IFU_WIN_ARB_OTHER_RDY"),
        (0xDE, "IFU_WIN_ARB_OTHER_ACT"), (0xDF, "IFU_NOT_RDY_FOR_ARB"), (0xE0, "IFU_GOTO_IDLE"),
        (0xE1, "IFU_IC_LOOKUP_UNDER_MISS"), (0xE2, "IFU_IC_MISS_UNDER_MISS"),
        (0xE3, "IFU_INSTR_PUSHED"), (0xE4, "IFU_IC_LF_SP"), (0xE8, "DPU_BR_COND_RETIRED"),
        (0xE9, "DPU_BR_IND_MIS"), (0xEA, "DPU_BR_COND_MIS"), (0xEB, "DPU_MEM_ERR_IFU"),
        (0xEC, "DPU_MEM_ERR_DCU"), (0xED, "DPU_MEM_ERR_TLB"), (0xF0, "L2_L1D_CACHE_WB_UNATT"),
        (0xF1, "L2_L2D_CACHE_UNATT"), (0xF2, "L2_L2D_CACHE_RD_UNATT"), (0xF3, "L2_L3D_CACHE_UNATT"),
        (0xF4, "L2_L3D_CACHE_RD_UNATT"), (0xF5, "L2_L3D_CACHE_ALLOC_UNATT"),
        (0xF6, "L2_L3D_CACHE_REFILL_UNATT"), (0xF7, "L2D_CACHE_STASH_DROPPED"),
    ],
}
