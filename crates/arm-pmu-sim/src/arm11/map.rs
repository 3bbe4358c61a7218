//! Registers and events of the three cores.
//!
//! Sources: AN195 for the control register and the events (table 2); the ARM1176 manual (DDI 0301H) and the ARM1136 manual
//! (DDI 0211K) for the counters and reset values. No ARM1156 manual was available: undocumented bits
//! are unknown after reset.

use arm_pmu_core::bus::Operands;

use crate::access::UserAccess;
use crate::cp15::Cp15Register;
use crate::selected::events;

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

/// What a counter does with an event number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The counter counts an event.
    Event,
    /// The cycle counter counts every cycle.
    Cycles,
    /// It counts nothing.
    Unused,
    /// Undefined.
    Reserved,
}

/// Number of the event that occurs in every cycle.
pub(super) const EVERY_CYCLE: u8 = 0xFF;
/// Event numbers of the ETMEXTOUT lines: the first line, the second line, both lines.
pub(super) const ETMEXTOUT: [u8; 3] = [0x20, 0x21, 0x22];

/// A core, as its manual describes it.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) registers: &'static [Cp15Register],
    pub(super) events: &'static [u8],
    /// Event numbers that count nothing.
    unused: &'static [u8],
    /// Path that names the core's PMU and its events: `arm11::arm1136`.
    pub(super) pmu: &'static str,
    pub(super) midr: u32,
}

impl Core {
    pub(super) fn kind(&self, event: u8) -> Kind {
        match event {
            EVERY_CYCLE => Kind::Cycles,
            _ if self.events.contains(&event) => Kind::Event,
            _ if self.unused.contains(&event) => Kind::Unused,
            _ => Kind::Reserved,
        }
    }
}

pub(super) const ARM1136: Core = Core {
    registers: &[
        control(0),
        counter("CCNT", CYCLE_COUNT, UNKNOWN),
        counter("PMN0", COUNTS[0], KNOWN),
        counter("PMN1", COUNTS[1], KNOWN),
    ],
    events: events!(u8: 0x00..=0x07, 0x09..=0x0D, 0x0F..=0x12, 0x20..=0x22, 0xFF),
    unused: &[],
    pmu: "arm11::arm1136",
    midr: 0x4107_B360,
};

pub(super) const ARM1156: Core = Core {
    registers: &[
        control(EACH << FAST_INTERRUPT_ENABLES),
        counter("CCNT", CYCLE_COUNT, UNKNOWN),
        counter("PMN0", COUNTS[0], UNKNOWN),
        counter("PMN1", COUNTS[1], UNKNOWN),
    ],
    events: events!(u8: 0x00..=0x02, 0x05..=0x07, 0x09..=0x0D, 0x10..=0x14, 0x20..=0x22, 0x30..=0x38, 0xFF),
    // Only on the other cores: events of the micro TLBs and the main TLB.
    unused: &[0x03, 0x04, 0x0F],
    pmu: "arm11::arm1156",
    midr: 0x410F_B560,
};

pub(super) const ARM1176: Core = Core {
    registers: &[
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
    ],
    events: events!(u8: 0x00..=0x07, 0x09..=0x0D, 0x0F..=0x12, 0x20..=0x26, 0xFF),
    unused: &[],
    pmu: "arm11::arm1176",
    midr: 0x410F_B760,
};
