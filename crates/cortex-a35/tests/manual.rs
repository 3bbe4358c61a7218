//! Codes and names from Arm's machine-readable events and other programs, extracted independently of the spec.

use cortex_a35::CortexA35Event;

/// Code and name.
#[rustfmt::skip]
const EVENTS: [(u16, &str); 63] = [
    (0x00, "SW_INCR"), (0x01, "L1I_CACHE_REFILL"), (0x02, "L1I_TLB_REFILL"),
    (0x03, "L1D_CACHE_REFILL"), (0x04, "L1D_CACHE"), (0x05, "L1D_TLB_REFILL"), (0x06, "LD_RETIRED"),
    (0x07, "ST_RETIRED"), (0x08, "INST_RETIRED"), (0x09, "EXC_TAKEN"), (0x0A, "EXC_RETURN"),
    (0x0B, "CID_WRITE_RETIRED"), (0x0C, "PC_WRITE_RETIRED"), (0x0D, "BR_IMMED_RETIRED"),
    (0x0E, "BR_RETURN_RETIRED"), (0x0F, "UNALIGNED_LDST_RETIRED"), (0x10, "BR_MIS_PRED"),
    (0x11, "CPU_CYCLES"), (0x12, "BR_PRED"), (0x13, "MEM_ACCESS"), (0x14, "L1I_CACHE"),
    (0x15, "L1D_CACHE_WB"), (0x16, "L2D_CACHE"), (0x17, "L2D_CACHE_REFILL"), (0x18, "L2D_CACHE_WB"),
    (0x19, "BUS_ACCESS"), (0x1A, "MEMORY_ERROR"), (0x1B, "INST_SPEC"), (0x1D, "BUS_CYCLES"),
    (0x1E, "CHAIN"), (0x60, "BUS_ACCESS_RD"), (0x61, "BUS_ACCESS_WR"), (0x73, "DP_SPEC"),
    (0x74, "ASE_SPEC"), (0x75, "VFP_SPEC"), (0x77, "CRYPTO_SPEC"), (0x7A, "BR_INDIRECT_SPEC"),
    (0x86, "EXC_IRQ"), (0x87, "EXC_FIQ"), (0xC0, "EXT_MEM_REQ"), (0xC1, "EXT_MEM_REQ_NC"),
    (0xC2, "PREFETCH_LINEFILL"), (0xC4, "READ_ALLOC_ENTER"), (0xC5, "READ_ALLOC"),
    (0xC6, "PRE_DECODE_ERR"), (0xC7, "STALL_SB_FULL"), (0xC8, "EXT_SNOOP"), (0xC9, "BR_COND"),
    (0xCA, "BR_INDIRECT_MISPRED"), (0xCB, "BR_INDIRECT_MISPRED_ADDR"), (0xCC, "BR_COND_MISPRED"),
    (0xD0, "L1I_CACHE_ERR"), (0xD1, "L1D_CACHE_ERR"), (0xD2, "TLB_ERR"),
    (0xE0, "OTHER_IQ_DEP_STALL"), (0xE1, "IC_DEP_STALL"), (0xE2, "IUTLB_DEP_STALL"),
    (0xE3, "DECODE_DEP_STALL"), (0xE4, "OTHER_INTERLOCK_STALL"), (0xE5, "AGU_DEP_STALL"),
    (0xE6, "SIMD_DEP_STALL"), (0xE7, "LD_DEP_STALL"), (0xE8, "ST_DEP_STALL"),
];

#[test]
fn events_match_the_table() {
    let events = CortexA35Event::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}
