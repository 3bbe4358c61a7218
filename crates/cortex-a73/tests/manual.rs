//! Codes and names from Arm's machine-readable events and other programs, extracted independently of the spec.

use cortex_a73::CortexA73Event;

/// Code and name.
#[rustfmt::skip]
const EVENTS: [(u16, &str); 80] = [
    (0x00, "SW_INCR"), (0x01, "L1I_CACHE_REFILL"), (0x02, "L1I_TLB_REFILL"),
    (0x03, "L1D_CACHE_REFILL"), (0x04, "L1D_CACHE"), (0x05, "L1D_TLB_REFILL"),
    (0x08, "INST_RETIRED"), (0x09, "EXC_TAKEN"), (0x0A, "EXC_RETURN"), (0x0B, "CID_WRITE_RETIRED"),
    (0x0C, "PC_WRITE_RETIRED"), (0x0D, "BR_IMMED_RETIRED"), (0x0E, "BR_RETURN_RETIRED"),
    (0x10, "BR_MIS_PRED"), (0x11, "CPU_CYCLES"), (0x12, "BR_PRED"), (0x13, "MEM_ACCESS"),
    (0x14, "L1I_CACHE"), (0x15, "L1D_CACHE_WB"), (0x16, "L2D_CACHE"), (0x17, "L2D_CACHE_REFILL"),
    (0x18, "L2D_CACHE_WB"), (0x19, "BUS_ACCESS"), (0x1B, "INST_SPEC"), (0x1C, "TTBR_WRITE_RETIRED"),
    (0x1D, "BUS_CYCLES"), (0x1E, "CHAIN"), (0x40, "L1D_CACHE_RD"), (0x41, "L1D_CACHE_WR"),
    (0x50, "L2D_CACHE_RD"), (0x51, "L2D_CACHE_WR"), (0x56, "L2D_CACHE_WB_VICTIM"),
    (0x57, "L2D_CACHE_WB_CLEAN"), (0x58, "L2D_CACHE_INVAL"), (0x62, "BUS_ACCESS_SHARED"),
    (0x63, "BUS_ACCESS_NOT_SHARED"), (0x64, "BUS_ACCESS_NORMAL"), (0x65, "BUS_ACCESS_PERIPH"),
    (0x66, "MEM_ACCESS_RD"), (0x67, "MEM_ACCESS_WR"), (0x6A, "UNALIGNED_LDST_SPEC"),
    (0x6C, "LDREX_SPEC"), (0x6E, "STREX_FAIL_SPEC"), (0x70, "LD_SPEC"), (0x71, "ST_SPEC"),
    (0x72, "LDST_SPEC"), (0x73, "DP_SPEC"), (0x74, "ASE_SPEC"), (0x75, "VFP_SPEC"),
    (0x77, "CRYPTO_SPEC"), (0x7A, "BR_INDIRECT_SPEC"), (0x7C, "ISB_SPEC"), (0x7D, "DSB_SPEC"),
    (0x7E, "DMB_SPEC"), (0x8A, "EXC_HVC"), (0xC0, "LF_STALL"), (0xC1, "PTW_STALL"),
    (0xC2, "I_TAG_RAM_RD"), (0xC3, "I_DATA_RAM_RD"), (0xC4, "I_BTAC_RAM_RD"),
    (0xD3, "D_LSU_SLOT_FULL"), (0xD8, "LS_IQ_FULL"), (0xD9, "DP_IQ_FULL"), (0xDA, "DE_IQ_FULL"),
    (0xDC, "EXC_TRAP_HYP"), (0xDE, "ETM_EXT_OUT0"), (0xDF, "ETM_EXT_OUT1"), (0xE0, "MMU_PTW"),
    (0xE1, "MMU_PTW_ST1"), (0xE2, "MMU_PTW_ST2"), (0xE3, "MMU_PTW_LSU"), (0xE4, "MMU_PTW_ISIDE"),
    (0xE5, "MMU_PTW_PLD"), (0xE6, "MMU_PTW_CP15"), (0xE7, "PLD_UTLB_REFILL"),
    (0xE8, "CP15_UTLB_REFILL"), (0xE9, "UTLB_FLUSH"), (0xEA, "TLB_ACCESS"), (0xEB, "TLB_MISS"),
    (0xEC, "DCACHE_SELF_HIT_VIPT"),
];

#[test]
fn events_match_the_table() {
    let events = CortexA73Event::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}
