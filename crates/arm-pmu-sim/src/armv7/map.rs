//! The registers. Cores differ in the number of counters and in the identification register.
//!
//! PMCR, PMOVSR, PMCCNTR, PMXEVTYPER and PMINTENCLR follow the Cortex-A8 manual (DDI 0344); its other pages were not
//! available. The other registers follow Linux and the manual of the Cortex-R4 (DDI 0363), which has the same family
//! of registers. Undocumented values are unknown after reset. The filter and PMOVSSET of version 2 follow Linux and
//! QEMU. Bits of missing counters are RAZ/WI in ARMv7 (DDI 0406B C10.9), and UNP/SBZP in the manual of the Cortex-A8.

use arm_pmu_core::bus::Operands;

use crate::access::UserAccess;
use crate::cp15::Cp15Register;

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

pub(crate) const PMCR: Operands = c9(12, 0);
pub(crate) const PMCNTENSET: Operands = c9(12, 1);
pub(crate) const PMCNTENCLR: Operands = c9(12, 2);
pub(crate) const PMOVSR: Operands = c9(12, 3);
pub(crate) const PMSWINC: Operands = c9(12, 4);
pub(crate) const PMSELR: Operands = c9(12, 5);
pub(crate) const PMCCNTR: Operands = c9(13, 0);
pub(crate) const PMXEVTYPER: Operands = c9(13, 1);
pub(crate) const PMXEVCNTR: Operands = c9(13, 2);
pub(crate) const PMUSERENR: Operands = c9(14, 0);
pub(crate) const PMINTENSET: Operands = c9(14, 1);
pub(crate) const PMINTENCLR: Operands = c9(14, 2);
const PMOVSSET: Operands = c9(14, 3);

/// PMCR\[15:11\], the number of event counters.
pub(crate) const N: u32 = 11;
/// Stops the cycle counter where non-invasive debug is not permitted.
pub(crate) const DP: u32 = 1 << 5;
/// Exports events to the ETM, which is not simulated.
const X: u32 = 1 << 4;
/// Counts only every 64th cycle.
pub(crate) const D: u32 = 1 << 3;
/// Zeroes the cycle counter.
pub(crate) const C: u32 = 1 << 2;
/// Zeroes the event counters.
pub(crate) const P: u32 = 1 << 1;
/// Enables all counters.
pub(crate) const E: u32 = 1 << 0;

/// PMUSERENR\[0\].
pub(crate) const EN: u32 = 1;
/// PMSELR\[4:0\].
pub(crate) const SEL: u32 = 0x1F;

/// PMXEVTYPER\[31:27\] of version 2: P, U, NSK, NSU and NSH.
pub(crate) const FILTER: u32 = 0xF800_0000;

pub(crate) use crate::handle::CYCLES;

/// Behaviour of the bits of missing event counters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The bits read as zero and ignore writes.
    Zero,
    /// The bits read as noise and should be written as zero, or as read.
    Noise,
}

/// Mask of the counters in a register, and the behaviour of the other bits.
type Bits = (u32, Missing);

const fn each(name: &'static str, operands: Operands, (all, missing): Bits) -> Cp15Register {
    let noise = match missing {
        Missing::Zero => 0,
        Missing::Noise => !all,
    };
    Cp15Register {
        unpredictable: noise,
        should_be_zero_or_preserved: noise,
        unknown: all,
        ..Cp15Register::new(name, operands)
    }
}

const fn sets(name: &'static str, operands: Operands, bits: Bits) -> Cp15Register {
    Cp15Register { write_one_to_set: bits.0, ..each(name, operands, bits) }
}

const fn clears(
    name: &'static str,
    operands: Operands,
    held_at: Operands,
    bits: Bits,
) -> Cp15Register {
    Cp15Register { write_one_to_clear: bits.0, held_at, ..each(name, operands, bits) }
}

const fn counter(name: &'static str, operands: Operands) -> Cp15Register {
    Cp15Register { read_write: u32::MAX, unknown: u32::MAX, ..Cp15Register::new(name, operands) }
}

/// Returns the registers of a core with `counters` event counters and version 2 of the PMU.
pub(crate) const fn version_2(counters: usize, idcode: u32) -> [Cp15Register; 13] {
    let [a, b, c, d, e, f, g, pmxevtyper, i, j, k, l] = version_1(counters, idcode, Missing::Zero);
    let pmxevtyper = Cp15Register {
        read_write: FILTER | 0xFF,
        should_be_zero_or_preserved: !(FILTER | 0xFF),
        unknown: FILTER | 0xFF,
        ..pmxevtyper
    };
    let all = (((1 << counters) - 1) | 1 << CYCLES, Missing::Zero);
    let pmovsset = Cp15Register { held_at: PMOVSR, ..sets("PMOVSSET", PMOVSSET, all) };
    [a, b, c, d, e, f, g, pmxevtyper, i, j, k, l, pmovsset]
}

/// Returns the registers of a core that has version 1 of the PMU with `counters` event counters.
pub(crate) const fn version_1(
    counters: usize,
    idcode: u32,
    missing: Missing,
) -> [Cp15Register; 12] {
    let event_counters = (1 << counters) - 1;
    let all = (event_counters | 1 << CYCLES, missing);
    [
        // [31:24] IMP, [23:16] IDCODE, [15:11] N, [5] DP, [4] X, [3] D, [2] C, [1] P, [0] E.
        Cp15Register {
            read_only: 0xFFFF_F800,
            read_write: DP | X | D | E,
            write_one_to_act: C | P,
            should_be_zero_or_preserved: 0x0000_07C0,
            reset: 0x41 << 24 | idcode << 16 | (counters as u32) << N,
            ..Cp15Register::new("PMCR", PMCR)
        },
        sets("PMCNTENSET", PMCNTENSET, all),
        clears("PMCNTENCLR", PMCNTENCLR, PMCNTENSET, all),
        clears("PMOVSR", PMOVSR, PMOVSR, all),
        Cp15Register {
            write_one_to_act: event_counters,
            should_be_zero_or_preserved: match missing {
                Missing::Zero => 1 << CYCLES,
                Missing::Noise => !event_counters,
            },
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
            count: counters,
            read_write: 0xFF,
            should_be_zero_or_preserved: !0xFF,
            unknown: 0xFF,
            ..Cp15Register::new("PMXEVTYPER", PMXEVTYPER)
        },
        Cp15Register { count: counters, ..counter("PMXEVCNTR", PMXEVCNTR) },
        Cp15Register {
            user: UserAccess::Read,
            read_write: EN,
            should_be_zero_or_preserved: !EN,
            ..Cp15Register::new("PMUSERENR", PMUSERENR)
        },
        Cp15Register { user: UserAccess::Never, ..sets("PMINTENSET", PMINTENSET, all) },
        Cp15Register {
            user: UserAccess::Never,
            ..clears("PMINTENCLR", PMINTENCLR, PMINTENSET, all)
        },
    ]
}
