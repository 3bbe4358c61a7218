//! Events from the manual (DDI 0388 I, tables 11-5 and 11-6) and Arm's machine-readable events, extracted
//! independently of the spec.

use arm_pmu_core::event::Unit;
use cortex_a9::{CortexA9Event, Event};

/// Code, name, and whether the event counts cycles.
///
/// Arm's data, Linux and other programs also list 0x08 and 0x0E. A footnote of the manual states that this core does not
/// have these events. Other software uses 0xFF for the cycle counter, which has no event number.
const EVENTS: [(u16, &str, bool); 62] = [
    (0x00, "SW_INCR", false),
    (0x01, "L1I_CACHE_REFILL", false),
    (0x02, "L1I_TLB_REFILL", false),
    (0x03, "L1D_CACHE_REFILL", false),
    (0x04, "L1D_CACHE", false),
    (0x05, "L1D_TLB_REFILL", false),
    (0x06, "LD_RETIRED", false),
    (0x07, "ST_RETIRED", false),
    (0x09, "EXC_TAKEN", false),
    (0x0A, "EXC_RETURN", false),
    (0x0B, "CID_WRITE_RETIRED", false),
    (0x0C, "PC_WRITE_RETIRED", false),
    (0x0D, "BR_IMMED_RETIRED", false),
    (0x0F, "UNALIGNED_LDST_RETIRED", false),
    (0x10, "BR_MIS_PRED", false),
    (0x11, "CPU_CYCLES", true),
    (0x12, "BR_PRED", false),
    (0x40, "JAVA_BYTECODE_DECODED", false),
    (0x41, "JAVA_SOFTWARE_BYTECODE_DECODED", false),
    (0x42, "JAZELLE_BACKWARD_BRANCH", false),
    (0x50, "COHERENT_LINEFILL_MISS", false),
    (0x51, "COHERENT_LINEFILL_HIT", false),
    (0x60, "IC_DEP_STALL", true),
    (0x61, "DC_DEP_STALL", true),
    (0x62, "STALL_MAIN_TLB", true),
    (0x63, "STREX_PASS", false),
    (0x64, "STREX_FAIL", false),
    (0x65, "DATA_EVICTION", false),
    (0x66, "ISSUE_NO_DISPATCH", true),
    (0x67, "ISSUE_EMPTY", true),
    (0x68, "INST_RENAMED", false),
    (0x69, "DATA_LINEFILL", false),
    (0x6A, "PREFETCH_LINEFILL", false),
    (0x6B, "PREFETCH_HIT", false),
    (0x6E, "BR_RETURN_PRED", false),
    (0x70, "MAIN_UNIT_INST", false),
    (0x71, "SECOND_UNIT_INST", false),
    (0x72, "LOAD_STORE_UNIT_INST", false),
    (0x73, "FP_RENAMED", false),
    (0x74, "NEON_RENAMED", false),
    (0x80, "STALL_PLD", true),
    (0x81, "STALL_WRITE", true),
    (0x82, "STALL_INST_MAIN_TLB", true),
    (0x83, "STALL_DATA_MAIN_TLB", true),
    (0x84, "STALL_INST_MICRO_TLB", true),
    (0x85, "STALL_DATA_MICRO_TLB", true),
    (0x86, "STALL_DMB", true),
    (0x8A, "INTEGER_CLOCK_ENABLED", true),
    (0x8B, "DATA_ENGINE_CLOCK_ENABLED", true),
    (0x8C, "NEON_CLOCK_ENABLED", true),
    (0x8D, "INST_TLB_ALLOCATION", false),
    (0x8E, "DATA_TLB_ALLOCATION", false),
    (0x90, "ISB_RETIRED", false),
    (0x91, "DSB_RETIRED", false),
    (0x92, "DMB_SPEC", false),
    (0x93, "EXTERNAL_INTERRUPT", false),
    (0xA0, "PLE_LINE_COMPLETED", false),
    (0xA1, "PLE_LINE_SKIPPED", false),
    (0xA2, "PLE_FIFO_FLUSH", false),
    (0xA3, "PLE_REQUEST_COMPLETED", false),
    (0xA4, "PLE_FIFO_OVERFLOW", false),
    (0xA5, "PLE_REQUEST_PROGRAMMED", false),
];

#[test]
fn events_match_the_manual() {
    let events = CortexA9Event::ALL
        .iter()
        .map(|event| (event.code(), event.name(), event.unit() == Unit::Cycles));
    assert!(events.eq(EVENTS));
}
