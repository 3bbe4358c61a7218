//! Registers of the three cores.
//!
//! Sources: AN195 for the control register; the ARM1176 manual (DDI 0301H) and the ARM1136 manual
//! (DDI 0211K) for the counters and reset values. No ARM1156 manual was available: undocumented bits
//! are unknown after reset.

use arm_pmu_core::bus::Operands;

use crate::access::UserAccess;
use crate::cp15::Cp15Register;

/// Number of event counters.
pub(super) const COUNTERS: usize = 2;

const fn c15(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm, opc2 }
}

pub(super) const CONTROL: Operands = c15(12, 0);
pub(super) const CYCLE_COUNT: Operands = c15(12, 1);
pub(super) const COUNTS: [Operands; COUNTERS] = [c15(12, 2), c15(12, 3)];
pub(super) const VALIDATION: Operands = c15(9, 0);
/// Permits User mode to access the registers of the PMU.
pub(super) const V: u32 = 1 << 0;

/// FIQ enables of the cycle counter, counter 1 and counter 0, from bit 30 down.
pub(super) const FAST_INTERRUPT_ENABLES: u32 = 28;
/// EvtCount0 and EvtCount1.
pub(super) const EVENTS: [u32; COUNTERS] = [20, 12];
/// X exports events to EVNTBUS, which is not simulated.
const X: u32 = 1 << 11;
/// Overflow flags of the cycle counter, counter 1 and counter 0, from bit 10 down.
pub(super) const FLAGS: u32 = 8;
/// Interrupt enables, in the same order as the flags.
pub(super) const INTERRUPT_ENABLES: u32 = 4;
/// One bit for each counter: two event counters, then the cycle counter.
pub(super) const EACH: u32 = 0b111;
pub(super) const CYCLES: usize = 2;
/// Counts only every 64th cycle.
pub(super) const D: u32 = 1 << 3;
/// Zeroes the cycle counter.
pub(super) const C: u32 = 1 << 2;
/// Zeroes the event counters.
pub(super) const P: u32 = 1 << 1;
/// Enables all counters.
pub(super) const E: u32 = 1 << 0;

const RESERVED: u32 = 1 << 31 | 1 << 7;
const EVENT_FIELDS: u32 = 0xFF << EVENTS[0] | 0xFF << EVENTS[1];

/// Returns the control register; `fast` are the FIQ enables, if the core has them.
const fn control(fast: u32) -> Cp15Register {
    let reserved = RESERVED | EACH << FAST_INTERRUPT_ENABLES & !fast;
    Cp15Register {
        read_write: fast | EVENT_FIELDS | X | EACH << INTERRUPT_ENABLES | D | E,
        write_one_to_clear: EACH << FLAGS,
        write_one_to_act: C | P,
        unpredictable: reserved | C | P,
        should_be_zero: reserved,
        unknown: fast | EVENT_FIELDS,
        ..Cp15Register::new("CONTROL", CONTROL)
    }
}

const fn counter(name: &'static str, operands: Operands, unknown: u32) -> Cp15Register {
    Cp15Register { read_write: u32::MAX, unknown, ..Cp15Register::new(name, operands) }
}

const KNOWN: u32 = 0;
const UNKNOWN: u32 = u32::MAX;

pub(super) const ARM1136: &[Cp15Register] = &[
    control(0),
    counter("CCNT", CYCLE_COUNT, UNKNOWN),
    counter("PMN0", COUNTS[0], KNOWN),
    counter("PMN1", COUNTS[1], KNOWN),
];

pub(super) const ARM1156: &[Cp15Register] = &[
    control(EACH << FAST_INTERRUPT_ENABLES),
    counter("CCNT", CYCLE_COUNT, UNKNOWN),
    counter("PMN0", COUNTS[0], UNKNOWN),
    counter("PMN1", COUNTS[1], UNKNOWN),
];

pub(super) const ARM1176: &[Cp15Register] = &[
    control(0),
    counter("CCNT", CYCLE_COUNT, KNOWN),
    counter("PMN0", COUNTS[0], KNOWN),
    counter("PMN1", COUNTS[1], KNOWN),
    // [0] V permits User mode to access the registers of the PMU. The other bits are unknown:
    // software reads them and writes them back.
    Cp15Register {
        read_write: V,
        unpredictable: !V,
        should_be_zero_or_preserved: !V,
        user: UserAccess::Never,
        ..Cp15Register::new("ACCESS_VALIDATION", VALIDATION)
    },
];
