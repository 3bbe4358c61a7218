//! The registers.
//!
//! The pages of the Cortex-A8 manual (DDI 0344) that were at hand are those of PMCR, PMOVSR, PMCCNTR, PMXEVTYPER
//! and PMINTENCLR. The others are as Linux uses them and as the manual of the Cortex-R4 (DDI 0363), which
//! has the same family of registers, describes them. What no document gives is unknown after reset.

use arm_pmu_core::bus::Operands;

use crate::cp15::{Cp15Register, UserAccess};

/// How many event counters there are.
pub(super) const COUNTERS: usize = 4;

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

pub(super) const PMCR: Operands = c9(12, 0);
pub(super) const PMCNTENSET: Operands = c9(12, 1);
const PMCNTENCLR: Operands = c9(12, 2);
pub(super) const PMOVSR: Operands = c9(12, 3);
pub(super) const PMSWINC: Operands = c9(12, 4);
pub(super) const PMSELR: Operands = c9(12, 5);
pub(super) const PMCCNTR: Operands = c9(13, 0);
pub(super) const PMXEVTYPER: Operands = c9(13, 1);
pub(super) const PMXEVCNTR: Operands = c9(13, 2);
pub(super) const PMUSERENR: Operands = c9(14, 0);
pub(super) const PMINTENSET: Operands = c9(14, 1);
const PMINTENCLR: Operands = c9(14, 2);

/// PMCR\[15:11\], the number of event counters.
pub(super) const N: u32 = 11;
/// Stops the cycle counter where non-invasive debug is not permitted.
pub(super) const DP: u32 = 1 << 5;
/// Lets events out to the ETM, which is not simulated.
const X: u32 = 1 << 4;
/// Lets every 64th cycle count.
pub(super) const D: u32 = 1 << 3;
/// Zeroes the cycle counter.
pub(super) const C: u32 = 1 << 2;
/// Zeroes the event counters.
pub(super) const P: u32 = 1 << 1;
/// Enables all counters.
pub(super) const E: u32 = 1 << 0;

/// PMUSERENR\[0\].
pub(super) const EN: u32 = 1;
/// PMSELR\[4:0\].
pub(super) const SEL: u32 = 0x1F;

/// One bit for each event counter, and the one of the cycle counter.
const EVENT_COUNTERS: u32 = (1 << COUNTERS) - 1;
pub(super) const CYCLES: usize = 31;
const EACH: u32 = EVENT_COUNTERS | 1 << CYCLES;

/// A register with one bit for each counter; the others read as noise.
const fn each(name: &'static str, operands: Operands) -> Cp15Register {
    Cp15Register {
        unpredictable: !EACH,
        should_be_zero_or_preserved: !EACH,
        unknown: EACH,
        ..Cp15Register::new(name, operands)
    }
}

const fn sets(name: &'static str, operands: Operands) -> Cp15Register {
    Cp15Register { write_one_to_set: EACH, ..each(name, operands) }
}

const fn clears(name: &'static str, operands: Operands, held_at: Operands) -> Cp15Register {
    Cp15Register { write_one_to_clear: EACH, held_at, ..each(name, operands) }
}

const fn counter(name: &'static str, operands: Operands) -> Cp15Register {
    Cp15Register { read_write: u32::MAX, unknown: u32::MAX, ..Cp15Register::new(name, operands) }
}

pub(super) const REGISTERS: &[Cp15Register] = &[
    // [31:24] IMP, [23:16] IDCODE, [15:11] N, [5] DP, [4] X, [3] D, [2] C, [1] P, [0] E.
    Cp15Register {
        read_only: 0xFFFF_F800,
        read_write: DP | X | D | E,
        write_one_to_act: C | P,
        should_be_zero_or_preserved: 0x0000_07C0,
        reset: 0x41 << 24 | (COUNTERS as u32) << N,
        ..Cp15Register::new("PMCR", PMCR)
    },
    sets("PMCNTENSET", PMCNTENSET),
    clears("PMCNTENCLR", PMCNTENCLR, PMCNTENSET),
    clears("PMOVSR", PMOVSR, PMOVSR),
    Cp15Register {
        write_one_to_act: EVENT_COUNTERS,
        should_be_zero_or_preserved: !EVENT_COUNTERS,
        ..Cp15Register::new("PMSWINC", PMSWINC)
    },
    Cp15Register {
        read_write: SEL,
        should_be_zero_or_preserved: !SEL,
        unknown: SEL,
        ..Cp15Register::new("PMSELR", PMSELR)
    },
    counter("PMCCNTR", PMCCNTR),
    Cp15Register {
        count: COUNTERS,
        read_write: 0xFF,
        should_be_zero_or_preserved: !0xFF,
        unknown: 0xFF,
        ..Cp15Register::new("PMXEVTYPER", PMXEVTYPER)
    },
    Cp15Register { count: COUNTERS, ..counter("PMXEVCNTR", PMXEVCNTR) },
    Cp15Register {
        user: UserAccess::Read,
        read_write: EN,
        should_be_zero_or_preserved: !EN,
        ..Cp15Register::new("PMUSERENR", PMUSERENR)
    },
    Cp15Register { user: UserAccess::Never, ..sets("PMINTENSET", PMINTENSET) },
    Cp15Register { user: UserAccess::Never, ..clears("PMINTENCLR", PMINTENCLR, PMINTENSET) },
];
