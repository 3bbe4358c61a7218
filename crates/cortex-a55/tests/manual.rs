//! Compares every event with a table of facts from the manual and Arm's machine-readable events.
//!
//! A program extracted the rows below. This test compares the two.

use arm_pmu_core::event::{Unit, UnknownCode};
use cortex_a55::{CortexA55Event, Event, Selection};

/// Code, name and unit.
#[rustfmt::skip]
const EVENTS: [(u16, &str, Unit); 111] = [
    (0x00, "SW_INCR", Unit::Occurrences),
    (0x01, "L1I_CACHE_REFILL", Unit::Occurrences),
    (0x02, "L1I_TLB_REFILL", Unit::Occurrences),
    (0x03, "L1D_CACHE_REFILL", Unit::Occurrences),
    (0x04, "L1D_CACHE", Unit::Occurrences),
    (0x05, "L1D_TLB_REFILL", Unit::Occurrences),
    (0x06, "LD_RETIRED", Unit::Occurrences),
    (0x07, "ST_RETIRED", Unit::Occurrences),
    (0x08, "INST_RETIRED", Unit::Occurrences),
    (0x09, "EXC_TAKEN", Unit::Occurrences),
    (0x0A, "EXC_RETURN", Unit::Occurrences),
    (0x0B, "CID_WRITE_RETIRED", Unit::Occurrences),
    (0x0C, "PC_WRITE_RETIRED", Unit::Occurrences),
    (0x0D, "BR_IMMED_RETIRED", Unit::Occurrences),
    (0x0E, "BR_RETURN_RETIRED", Unit::Occurrences),
    (0x0F, "UNALIGNED_LDST_RETIRED", Unit::Occurrences),
    (0x10, "BR_MIS_PRED", Unit::Occurrences),
    (0x11, "CPU_CYCLES", Unit::Cycles),
    (0x12, "BR_PRED", Unit::Occurrences),
    (0x13, "MEM_ACCESS", Unit::Occurrences),
    (0x14, "L1I_CACHE", Unit::Occurrences),
    (0x15, "L1D_CACHE_WB", Unit::Occurrences),
    (0x16, "L2D_CACHE", Unit::Occurrences),
    (0x17, "L2D_CACHE_REFILL", Unit::Occurrences),
    (0x18, "L2D_CACHE_WB", Unit::Occurrences),
    (0x19, "BUS_ACCESS", Unit::Beats),
    (0x1A, "MEMORY_ERROR", Unit::Occurrences),
    (0x1B, "INST_SPEC", Unit::Occurrences),
    (0x1C, "TTBR_WRITE_RETIRED", Unit::Occurrences),
    (0x1D, "BUS_CYCLES", Unit::Cycles),
    (0x1E, "CHAIN", Unit::Occurrences),
    (0x20, "L2D_CACHE_ALLOCATE", Unit::Occurrences),
    (0x21, "BR_RETIRED", Unit::Occurrences),
    (0x22, "BR_MIS_PRED_RETIRED", Unit::Occurrences),
    (0x23, "STALL_FRONTEND", Unit::Cycles),
    (0x24, "STALL_BACKEND", Unit::Cycles),
    (0x25, "L1D_TLB", Unit::Occurrences),
    (0x26, "L1I_TLB", Unit::Occurrences),
    (0x29, "L3D_CACHE_ALLOCATE", Unit::Occurrences),
    (0x2A, "L3D_CACHE_REFILL", Unit::Occurrences),
    (0x2B, "L3D_CACHE", Unit::Occurrences),
    (0x2D, "L2D_TLB_REFILL", Unit::Occurrences),
    (0x2F, "L2D_TLB", Unit::Occurrences),
    (0x34, "DTLB_WALK", Unit::Occurrences),
    (0x35, "ITLB_WALK", Unit::Occurrences),
    (0x36, "LL_CACHE_RD", Unit::Occurrences),
    (0x37, "LL_CACHE_MISS_RD", Unit::Occurrences),
    (0x38, "REMOTE_ACCESS_RD", Unit::Occurrences),
    (0x40, "L1D_CACHE_RD", Unit::Occurrences),
    (0x41, "L1D_CACHE_WR", Unit::Occurrences),
    (0x42, "L1D_CACHE_REFILL_RD", Unit::Occurrences),
    (0x43, "L1D_CACHE_REFILL_WR", Unit::Occurrences),
    (0x44, "L1D_CACHE_REFILL_INNER", Unit::Occurrences),
    (0x45, "L1D_CACHE_REFILL_OUTER", Unit::Occurrences),
    (0x50, "L2D_CACHE_RD", Unit::Occurrences),
    (0x51, "L2D_CACHE_WR", Unit::Occurrences),
    (0x52, "L2D_CACHE_REFILL_RD", Unit::Occurrences),
    (0x53, "L2D_CACHE_REFILL_WR", Unit::Occurrences),
    (0x60, "BUS_ACCESS_RD", Unit::Beats),
    (0x61, "BUS_ACCESS_WR", Unit::Beats),
    (0x66, "MEM_ACCESS_RD", Unit::Occurrences),
    (0x67, "MEM_ACCESS_WR", Unit::Occurrences),
    (0x70, "LD_SPEC", Unit::Occurrences),
    (0x71, "ST_SPEC", Unit::Occurrences),
    (0x72, "LDST_SPEC", Unit::Occurrences),
    (0x73, "DP_SPEC", Unit::Occurrences),
    (0x74, "ASE_SPEC", Unit::Occurrences),
    (0x75, "VFP_SPEC", Unit::Occurrences),
    (0x76, "PC_WRITE_SPEC", Unit::Occurrences),
    (0x77, "CRYPTO_SPEC", Unit::Occurrences),
    (0x78, "BR_IMMED_SPEC", Unit::Occurrences),
    (0x79, "BR_RETURN_SPEC", Unit::Occurrences),
    (0x7A, "BR_INDIRECT_SPEC", Unit::Occurrences),
    (0x86, "EXC_IRQ", Unit::Occurrences),
    (0x87, "EXC_FIQ", Unit::Occurrences),
    (0xA0, "L3D_CACHE_RD", Unit::Occurrences),
    (0xA2, "L3D_CACHE_REFILL_RD", Unit::Occurrences),
    (0xC0, "L3D_CACHE_REFILL_PREFETCH", Unit::Occurrences),
    (0xC1, "L2D_CACHE_REFILL_PREFETCH", Unit::Occurrences),
    (0xC2, "L1D_CACHE_REFILL_PREFETCH", Unit::Occurrences),
    (0xC3, "L2D_WS_MODE", Unit::Cycles),
    (0xC4, "L1D_WS_MODE_ENTRY", Unit::Occurrences),
    (0xC5, "L1D_WS_MODE", Unit::Cycles),
    (0xC6, "PREDECODE_ERROR", Unit::Occurrences),
    (0xC7, "L3D_WS_MODE", Unit::Cycles),
    (0xC9, "BR_COND_PRED", Unit::Occurrences),
    (0xCA, "BR_INDIRECT_MIS_PRED", Unit::Occurrences),
    (0xCB, "BR_INDIRECT_ADDR_MIS_PRED", Unit::Occurrences),
    (0xCC, "BR_COND_MIS_PRED", Unit::Occurrences),
    (0xCD, "BR_INDIRECT_ADDR_PRED", Unit::Occurrences),
    (0xCE, "BR_RETURN_ADDR_PRED", Unit::Occurrences),
    (0xCF, "BR_RETURN_ADDR_MIS_PRED", Unit::Occurrences),
    (0xD0, "L2D_LLWALK_TLB", Unit::Occurrences),
    (0xD1, "L2D_LLWALK_TLB_REFILL", Unit::Occurrences),
    (0xD2, "L2D_L2WALK_TLB", Unit::Occurrences),
    (0xD3, "L2D_L2WALK_TLB_REFILL", Unit::Occurrences),
    (0xD4, "L2D_S2_TLB", Unit::Occurrences),
    (0xD5, "L2D_S2_TLB_REFILL", Unit::Occurrences),
    (0xD6, "L2D_CACHE_STASH_DROPPED", Unit::Occurrences),
    (0xE1, "STALL_FRONTEND_CACHE", Unit::Cycles),
    (0xE2, "STALL_FRONTEND_TLB", Unit::Cycles),
    (0xE3, "STALL_FRONTEND_PDERR", Unit::Cycles),
    (0xE4, "STALL_BACKEND_ILOCK", Unit::Cycles),
    (0xE5, "STALL_BACKEND_ILOCK_AGU", Unit::Cycles),
    (0xE6, "STALL_BACKEND_ILOCK_FPU", Unit::Cycles),
    (0xE7, "STALL_BACKEND_LD", Unit::Cycles),
    (0xE8, "STALL_BACKEND_ST", Unit::Cycles),
    (0xE9, "STALL_BACKEND_LD_CACHE", Unit::Cycles),
    (0xEA, "STALL_BACKEND_LD_TLB", Unit::Cycles),
    (0xEB, "STALL_BACKEND_ST_STB", Unit::Cycles),
    (0xEC, "STALL_BACKEND_ST_TLB", Unit::Cycles),
];

#[test]
fn events_match_the_table() {
    let events = CortexA55Event::ALL.iter().map(|event| (event.code(), event.name(), event.unit()));
    assert!(events.eq(EVENTS));
}

/// All 2^16 numbers; PMEVTYPER of this version has as many.
#[test]
fn no_other_number_is_an_event() {
    for code in 0..=u16::MAX {
        let is_row = EVENTS.iter().any(|row| row.0 == code);
        assert_eq!(Selection::from_id(code).is_some(), is_row, "{code:#x}");
        assert!(Selection::raw(code).is_some(), "{code:#x}");
        let event = CortexA55Event::try_from(code);
        assert_eq!(event.err(), (!is_row).then_some(UnknownCode(code)), "{code:#x}");
    }
}
