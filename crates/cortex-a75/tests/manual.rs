//! Codes and names from Arm's machine-readable events and other programs, extracted independently of the spec.

use cortex_a75::CortexA75Event;

/// Code and name.
#[rustfmt::skip]
const EVENTS: [(u16, &str); 104] = [
    (0x00, "SW_INCR"), (0x01, "L1I_CACHE_REFILL"), (0x02, "L1I_TLB_REFILL"),
    (0x03, "L1D_CACHE_REFILL"), (0x04, "L1D_CACHE"), (0x05, "L1D_TLB_REFILL"),
    (0x08, "INST_RETIRED"), (0x09, "EXC_TAKEN"), (0x0A, "EXC_RETURN"), (0x0B, "CID_WRITE_RETIRED"),
    (0x0C, "PC_WRITE_RETIRED"), (0x0D, "BR_IMMED_RETIRED"), (0x0E, "BR_RETURN_RETIRED"),
    (0x10, "BR_MIS_PRED"), (0x11, "CPU_CYCLES"), (0x12, "BR_PRED"), (0x13, "MEM_ACCESS"),
    (0x14, "L1I_CACHE"), (0x15, "L1D_CACHE_WB"), (0x16, "L2D_CACHE"), (0x17, "L2D_CACHE_REFILL"),
    (0x18, "L2D_CACHE_WB"), (0x19, "BUS_ACCESS"), (0x1B, "INST_SPEC"), (0x1C, "TTBR_WRITE_RETIRED"),
    (0x1D, "BUS_CYCLES"), (0x1E, "CHAIN"), (0x1F, "L1D_CACHE_ALLOCATE"),
    (0x20, "L2D_CACHE_ALLOCATE"), (0x21, "BR_RETIRED"), (0x23, "STALL_FRONTEND"),
    (0x24, "STALL_BACKEND"), (0x25, "L1D_TLB"), (0x26, "L1I_TLB"), (0x29, "L3D_CACHE_ALLOCATE"),
    (0x2A, "L3D_CACHE_REFILL"), (0x2B, "L3D_CACHE"), (0x2D, "L2D_TLB_REFILL"), (0x2F, "L2D_TLB"),
    (0x30, "L2I_TLB"), (0x34, "DTLB_WALK"), (0x35, "ITLB_WALK"), (0x36, "LL_CACHE_RD"),
    (0x37, "LL_CACHE_MISS_RD"), (0x38, "REMOTE_ACCESS_RD"), (0x40, "L1D_CACHE_RD"),
    (0x41, "L1D_CACHE_WR"), (0x46, "L1D_CACHE_WB_VICTIM"), (0x47, "L1D_CACHE_WB_CLEAN"),
    (0x48, "L1D_CACHE_INVAL"), (0x50, "L2D_CACHE_RD"), (0x51, "L2D_CACHE_WR"),
    (0x56, "L2D_CACHE_WB_VICTIM"), (0x57, "L2D_CACHE_WB_CLEAN"), (0x58, "L2D_CACHE_INVAL"),
    (0x60, "BUS_ACCESS_RD"), (0x61, "BUS_ACCESS_WR"), (0x66, "MEM_ACCESS_RD"),
    (0x67, "MEM_ACCESS_WR"), (0x6A, "UNALIGNED_LDST_SPEC"), (0x6C, "LDREX_SPEC"),
    (0x6D, "STREX_PASS_SPEC"), (0x6E, "STREX_FAIL_SPEC"), (0x6F, "STREX_SPEC"), (0x70, "LD_SPEC"),
    (0x71, "ST_SPEC"), (0x72, "LDST_SPEC"), (0x73, "DP_SPEC"), (0x74, "ASE_SPEC"),
    (0x75, "VFP_SPEC"), (0x77, "CRYPTO_SPEC"), (0x7A, "BR_INDIRECT_SPEC"), (0x7C, "ISB_SPEC"),
    (0x7D, "DSB_SPEC"), (0x7E, "DMB_SPEC"), (0x81, "EXC_UNDEF"), (0x8A, "EXC_HVC"),
    (0xA0, "L3D_CACHE_RD"), (0xA2, "L3D_CACHE_REFILL_RD"), (0xC0, "LF_STALL"), (0xC1, "PTW_STALL"),
    (0xC2, "I_TAG_RAM_RD"), (0xC3, "I_DATA_RAM_RD"), (0xC4, "I_BTAC_RAM_RD"),
    (0xD3, "D_LSU_SLOT_FULL"), (0xD8, "LS_IQ_FULL"), (0xD9, "DP_IQ_FULL"), (0xDA, "DE_IQ_FULL"),
    (0xDC, "EXC_TRAP_HYP"), (0xDE, "ETM_EXT_OUT0"), (0xDF, "ETM_EXT_OUT1"), (0xE0, "MMU_PTW"),
    (0xE1, "MMU_PTW_ST1"), (0xE2, "MMU_PTW_ST2"), (0xE3, "MMU_PTW_LSU"), (0xE4, "MMU_PTW_ISIDE"),
    (0xE5, "MMU_PTW_PLD"), (0xE6, "MMU_PTW_CP15"), (0xE7, "L1PLD_TLB_REFILL"), (0xE8, "L2PLD_TLB"),
    (0xE9, "UTLB_FLUSH"), (0xEA, "TLB_ACCESS"), (0xEB, "L1PLD_TLB"), (0xEC, "PLDTLB_WALK"),
];

#[test]
fn events_match_the_table() {
    let events = CortexA75Event::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}
