//! Events from Arm's machine-readable events and libpfm4, extracted independently of the spec.

use arm_pmu_core::event::Unit;
use cortex_a7::{CortexA7Event, Event};

/// Code, name, and whether the event counts cycles.
const EVENTS: [(u16, &str, bool); 41] = [
    (0x00, "SW_INCR", false),
    (0x01, "L1I_CACHE_REFILL", false),
    (0x02, "L1I_TLB_REFILL", false),
    (0x03, "L1D_CACHE_REFILL", false),
    (0x04, "L1D_CACHE", false),
    (0x05, "L1D_TLB_REFILL", false),
    (0x06, "LD_RETIRED", false),
    (0x07, "ST_RETIRED", false),
    (0x08, "INST_RETIRED", false),
    (0x09, "EXC_TAKEN", false),
    (0x0A, "EXC_RETURN", false),
    (0x0B, "CID_WRITE_RETIRED", false),
    (0x0C, "PC_WRITE_RETIRED", false),
    (0x0D, "BR_IMMED_RETIRED", false),
    (0x0E, "BR_RETURN_RETIRED", false),
    (0x0F, "UNALIGNED_LDST_RETIRED", false),
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
    (0x1D, "BUS_CYCLES", true),
    (0x60, "BUS_ACCESS_RD", false),
    (0x61, "BUS_ACCESS_WR", false),
    (0x86, "EXC_IRQ", false),
    (0x87, "EXC_FIQ", false),
    (0xC0, "EXT_MEM_REQ", false),
    (0xC1, "EXT_MEM_REQ_NC", false),
    (0xC2, "PREFETCH_LINEFILL", false),
    (0xC3, "PREFETCH_LINEFILL_DROP", false),
    (0xC4, "READ_ALLOC_ENTER", false),
    (0xC5, "READ_ALLOC", true),
    (0xC7, "ETM_EXT_OUT_0", false),
    (0xC8, "ETM_EXT_OUT_1", false),
    (0xC9, "STALL_SB_FULL", true),
    (0xCA, "EXT_SNOOP", false),
];

#[test]
fn events_match_the_table() {
    let events = CortexA7Event::ALL
        .iter()
        .map(|event| (event.code(), event.name(), event.unit() == Unit::Cycles));
    assert!(events.eq(EVENTS));
}
