//! Codes and names from Arm's machine-readable events and other programs, extracted independently of the spec.

use neoverse_n1::NeoverseN1Event;

/// Code and name.
#[rustfmt::skip]
const EVENTS: [(u16, &str); 110] = [
    (0x00, "SW_INCR"), (0x01, "L1I_CACHE_REFILL"), (0x02, "L1I_TLB_REFILL"),
    (0x03, "L1D_CACHE_REFILL"), (0x04, "L1D_CACHE"), (0x05, "L1D_TLB_REFILL"),
    (0x08, "INST_RETIRED"), (0x09, "EXC_TAKEN"), (0x0A, "EXC_RETURN"), (0x0B, "CID_WRITE_RETIRED"),
    (0x10, "BR_MIS_PRED"), (0x11, "CPU_CYCLES"), (0x12, "BR_PRED"), (0x13, "MEM_ACCESS"),
    (0x14, "L1I_CACHE"), (0x15, "L1D_CACHE_WB"), (0x16, "L2D_CACHE"), (0x17, "L2D_CACHE_REFILL"),
    (0x18, "L2D_CACHE_WB"), (0x19, "BUS_ACCESS"), (0x1A, "MEMORY_ERROR"), (0x1B, "INST_SPEC"),
    (0x1C, "TTBR_WRITE_RETIRED"), (0x1D, "BUS_CYCLES"), (0x1E, "CHAIN"),
    (0x20, "L2D_CACHE_ALLOCATE"), (0x21, "BR_RETIRED"), (0x22, "BR_MIS_PRED_RETIRED"),
    (0x23, "STALL_FRONTEND"), (0x24, "STALL_BACKEND"), (0x25, "L1D_TLB"), (0x26, "L1I_TLB"),
    (0x29, "L3D_CACHE_ALLOCATE"), (0x2A, "L3D_CACHE_REFILL"), (0x2B, "L3D_CACHE"),
    (0x2D, "L2D_TLB_REFILL"), (0x2F, "L2D_TLB"), (0x31, "REMOTE_ACCESS"), (0x34, "DTLB_WALK"),
    (0x35, "ITLB_WALK"), (0x36, "LL_CACHE_RD"), (0x37, "LL_CACHE_MISS_RD"), (0x40, "L1D_CACHE_RD"),
    (0x41, "L1D_CACHE_WR"), (0x42, "L1D_CACHE_REFILL_RD"), (0x43, "L1D_CACHE_REFILL_WR"),
    (0x44, "L1D_CACHE_REFILL_INNER"), (0x45, "L1D_CACHE_REFILL_OUTER"),
    (0x46, "L1D_CACHE_WB_VICTIM"), (0x47, "L1D_CACHE_WB_CLEAN"), (0x48, "L1D_CACHE_INVAL"),
    (0x4C, "L1D_TLB_REFILL_RD"), (0x4D, "L1D_TLB_REFILL_WR"), (0x4E, "L1D_TLB_RD"),
    (0x4F, "L1D_TLB_WR"), (0x50, "L2D_CACHE_RD"), (0x51, "L2D_CACHE_WR"),
    (0x52, "L2D_CACHE_REFILL_RD"), (0x53, "L2D_CACHE_REFILL_WR"), (0x56, "L2D_CACHE_WB_VICTIM"),
    (0x57, "L2D_CACHE_WB_CLEAN"), (0x58, "L2D_CACHE_INVAL"), (0x5C, "L2D_TLB_REFILL_RD"),
    (0x5D, "L2D_TLB_REFILL_WR"), (0x5E, "L2D_TLB_RD"), (0x5F, "L2D_TLB_WR"),
    (0x60, "BUS_ACCESS_RD"), (0x61, "BUS_ACCESS_WR"), (0x66, "MEM_ACCESS_RD"),
    (0x67, "MEM_ACCESS_WR"), (0x68, "UNALIGNED_LD_SPEC"), (0x69, "UNALIGNED_ST_SPEC"),
    (0x6A, "UNALIGNED_LDST_SPEC"), (0x6C, "LDREX_SPEC"), (0x6D, "STREX_PASS_SPEC"),
    (0x6E, "STREX_FAIL_SPEC"), (0x6F, "STREX_SPEC"), (0x70, "LD_SPEC"), (0x71, "ST_SPEC"),
    (0x73, "DP_SPEC"), (0x74, "ASE_SPEC"), (0x75, "VFP_SPEC"), (0x76, "PC_WRITE_SPEC"),
    (0x77, "CRYPTO_SPEC"), (0x78, "BR_IMMED_SPEC"), (0x79, "BR_RETURN_SPEC"),
    (0x7A, "BR_INDIRECT_SPEC"), (0x7C, "ISB_SPEC"), (0x7D, "DSB_SPEC"), (0x7E, "DMB_SPEC"),
    (0x81, "EXC_UNDEF"), (0x82, "EXC_SVC"), (0x83, "EXC_PABORT"), (0x84, "EXC_DABORT"),
    (0x86, "EXC_IRQ"), (0x87, "EXC_FIQ"), (0x88, "EXC_SMC"), (0x8A, "EXC_HVC"),
    (0x8B, "EXC_TRAP_PABORT"), (0x8C, "EXC_TRAP_DABORT"), (0x8D, "EXC_TRAP_OTHER"),
    (0x8E, "EXC_TRAP_IRQ"), (0x8F, "EXC_TRAP_FIQ"), (0x90, "RC_LD_SPEC"), (0x91, "RC_ST_SPEC"),
    (0xA0, "L3D_CACHE_RD"), (0x4000, "SAMPLE_POP"), (0x4001, "SAMPLE_FEED"),
    (0x4002, "SAMPLE_FILTRATE"), (0x4003, "SAMPLE_COLLISION"),
];

#[test]
fn events_match_the_table() {
    let events = NeoverseN1Event::ALL.iter().map(|event| (event.code(), event.name()));
    assert!(events.eq(EVENTS));
}
