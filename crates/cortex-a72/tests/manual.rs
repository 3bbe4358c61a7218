//! Compares every event with a table of facts from the manual and Arm's machine-readable events.
//!
//! A program extracted the rows below. The specs were written by hand. This test compares the two.

use arm_pmu_core::event::{Unit, UnknownCode};
use cortex_a72::{CortexA72Event, Event, Selection};

/// Code, name, and whether it counts cycles.
const EVENTS: [(u16, &str, bool); 84] = [
    (0x00, "SW_INCR", false),
    (0x01, "L1I_CACHE_REFILL", false),
    (0x02, "L1I_TLB_REFILL", false),
    (0x03, "L1D_CACHE_REFILL", false),
    (0x04, "L1D_CACHE", false),
    (0x05, "L1D_TLB_REFILL", false),
    (0x08, "INST_RETIRED", false),
    (0x09, "EXC_TAKEN", false),
    (0x0A, "EXC_RETURN", false),
    (0x0B, "CID_WRITE_RETIRED", false),
    (0x10, "BR_MIS_PRED", false),
    (0x11, "CPU_CYCLES", true),
    (0x12, "BR_PRED", false),
    (0x13, "MEM_ACCESS", false),
    (0x14, "L1I_CACHE", false),
    (0x15, "L1D_CACHE_WB", false),
    (0x16, "L2D_CACHE", false),
    (0x17, "L2D_CACHE_REFILL", false),
    (0x18, "L2D_CACHE_WB", false),
    (0x19, "BUS_ACCESS", false),
    (0x1A, "MEMORY_ERROR", false),
    (0x1B, "INST_SPEC", false),
    (0x1C, "TTBR_WRITE_RETIRED", false),
    (0x1D, "BUS_CYCLES", true),
    (0x1E, "CHAIN", false),
    (0x40, "L1D_CACHE_RD", false),
    (0x41, "L1D_CACHE_WR", false),
    (0x42, "L1D_CACHE_REFILL_RD", false),
    (0x43, "L1D_CACHE_REFILL_WR", false),
    (0x46, "L1D_CACHE_WB_VICTIM", false),
    (0x47, "L1D_CACHE_WB_CLEAN", false),
    (0x48, "L1D_CACHE_INVAL", false),
    (0x4C, "L1D_TLB_REFILL_RD", false),
    (0x4D, "L1D_TLB_REFILL_WR", false),
    (0x50, "L2D_CACHE_RD", false),
    (0x51, "L2D_CACHE_WR", false),
    (0x52, "L2D_CACHE_REFILL_RD", false),
    (0x53, "L2D_CACHE_REFILL_WR", false),
    (0x56, "L2D_CACHE_WB_VICTIM", false),
    (0x57, "L2D_CACHE_WB_CLEAN", false),
    (0x58, "L2D_CACHE_INVAL", false),
    (0x60, "BUS_ACCESS_RD", false),
    (0x61, "BUS_ACCESS_WR", false),
    (0x62, "BUS_ACCESS_SHARED", false),
    (0x63, "BUS_ACCESS_NOT_SHARED", false),
    (0x64, "BUS_ACCESS_NORMAL", false),
    (0x65, "BUS_ACCESS_PERIPH", false),
    (0x66, "MEM_ACCESS_RD", false),
    (0x67, "MEM_ACCESS_WR", false),
    (0x68, "UNALIGNED_LD_SPEC", false),
    (0x69, "UNALIGNED_ST_SPEC", false),
    (0x6A, "UNALIGNED_LDST_SPEC", false),
    (0x6C, "LDREX_SPEC", false),
    (0x6D, "STREX_PASS_SPEC", false),
    (0x6E, "STREX_FAIL_SPEC", false),
    (0x70, "LD_SPEC", false),
    (0x71, "ST_SPEC", false),
    (0x72, "LDST_SPEC", false),
    (0x73, "DP_SPEC", false),
    (0x74, "ASE_SPEC", false),
    (0x75, "VFP_SPEC", false),
    (0x76, "PC_WRITE_SPEC", false),
    (0x77, "CRYPTO_SPEC", false),
    (0x78, "BR_IMMED_SPEC", false),
    (0x79, "BR_RETURN_SPEC", false),
    (0x7A, "BR_INDIRECT_SPEC", false),
    (0x7C, "ISB_SPEC", false),
    (0x7D, "DSB_SPEC", false),
    (0x7E, "DMB_SPEC", false),
    (0x81, "EXC_UNDEF", false),
    (0x82, "EXC_SVC", false),
    (0x83, "EXC_PABORT", false),
    (0x84, "EXC_DABORT", false),
    (0x86, "EXC_IRQ", false),
    (0x87, "EXC_FIQ", false),
    (0x88, "EXC_SMC", false),
    (0x8A, "EXC_HVC", false),
    (0x8B, "EXC_TRAP_PABORT", false),
    (0x8C, "EXC_TRAP_DABORT", false),
    (0x8D, "EXC_TRAP_OTHER", false),
    (0x8E, "EXC_TRAP_IRQ", false),
    (0x8F, "EXC_TRAP_FIQ", false),
    (0x90, "RC_LD_SPEC", false),
    (0x91, "RC_ST_SPEC", false),
];

#[test]
fn events_match_the_table() {
    let events = CortexA72Event::ALL
        .iter()
        .map(|event| (event.code(), event.name(), event.unit() == Unit::Cycles));
    assert!(events.eq(EVENTS));
}

/// All 2^16 numbers; PMEVTYPER has 2^10.
#[test]
fn no_other_number_is_an_event() {
    for code in 0..=u16::MAX {
        let is_row = EVENTS.iter().any(|row| row.0 == code);
        assert_eq!(Selection::from_id(code).is_some(), is_row, "{code:#x}");
        let event = CortexA72Event::try_from(code);
        assert_eq!(event.err(), (!is_row).then_some(UnknownCode(code)), "{code:#x}");
    }
}
