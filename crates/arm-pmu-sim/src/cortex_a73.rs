//! The performance monitor of the Cortex-A73.
//!
//! Sources: Arm's machine-readable events (ARM-software/data) and third-party programs (see specs/cortex-a73). No
//! source states PMCR_EL0.IDCODE, which is 0 here.

crate::pmuv3::pmuv3_core! {
    /// The simulated performance monitor of a Cortex-A73 core: PMUv3 in AArch64.
    CortexA73 = "cortex-a73";
    version: V3, counters: 6, idcode: 0x00,
    midr of "r0p0": 0x410F_D090,
    events: [
        0x00..=0x05, 0x08..=0x0E, 0x10..=0x19, 0x1B..=0x1E, 0x40, 0x41, 0x50, 0x51, 0x56..=0x58,
        0x62..=0x67, 0x6A, 0x6C, 0x6E, 0x70..=0x75, 0x77, 0x7A, 0x7C..=0x7E, 0x8A,
    ],
    own: [
        (0xC0, "LF_STALL"), (0xC1, "PTW_STALL"), (0xC2, "I_TAG_RAM_RD"), (0xC3, "I_DATA_RAM_RD"),
        (0xC4, "I_BTAC_RAM_RD"), (0xD3, "D_LSU_SLOT_FULL"), (0xD8, "LS_IQ_FULL"),
        (0xD9, "DP_IQ_FULL"), (0xDA, "DE_IQ_FULL"), (0xDC, "EXC_TRAP_HYP"), (0xDE, "ETM_EXT_OUT0"),
        (0xDF, "ETM_EXT_OUT1"), (0xE0, "MMU_PTW"), (0xE1, "MMU_PTW_ST1"), (0xE2, "MMU_PTW_ST2"),
        (0xE3, "MMU_PTW_LSU"), (0xE4, "MMU_PTW_ISIDE"), (0xE5, "MMU_PTW_PLD"),
        (0xE6, "MMU_PTW_CP15"), (0xE7, "PLD_UTLB_REFILL"), (0xE8, "CP15_UTLB_REFILL"),
        (0xE9, "UTLB_FLUSH"), (0xEA, "TLB_ACCESS"), (0xEB, "TLB_MISS"),
        (0xEC, "DCACHE_SELF_HIT_VIPT"),
    ],
}
