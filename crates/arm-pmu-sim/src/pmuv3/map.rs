//! The registers of PMUv3. Cores differ in their identification registers, and in which common
//! events they have.
//!
//! Encodings and fields follow Linux (`arch/arm64/include/asm/sysreg.h`) and QEMU. The fields of PMCR_EL0 are from the
//! manuals of the Cortex-A53 (DDI 0500) and Cortex-A76; the fields of PMUSERENR_EL0, PMEVTYPER and PMCCFILTR are
//! from Arm's register pages (DDI 0595, DDI 0601). Undocumented bits are unknown after reset.
//!
//! MDCR_EL2 and MDCR_EL3 have the fields of Arm's register pages (DDI 0601) that concern the PMU. The bits behave as
//! in QEMU and in Arm's pseudocode (CountPMUEvents).

use arm_pmu_core::bus::SystemRegister;

use crate::access::UserAccess;
use crate::sysreg::{CURRENT_EL, ID_AA64PFR0, MDCR_EL2, MDCR_EL3, SysregRegister};

const fn el0(crn: u8, crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 3, crn, crm, op2 }
}

const fn el1(crm: u8, op2: u8) -> SystemRegister {
    SystemRegister { op0: 3, op1: 0, crn: 9, crm, op2 }
}

pub(crate) const PMCR: SystemRegister = el0(9, 12, 0);
pub(crate) const PMCNTENSET: SystemRegister = el0(9, 12, 1);
const PMCNTENCLR: SystemRegister = el0(9, 12, 2);
pub(crate) const PMOVSCLR: SystemRegister = el0(9, 12, 3);
pub(crate) const PMSWINC: SystemRegister = el0(9, 12, 4);
pub(crate) const PMCEID0: SystemRegister = el0(9, 12, 6);
pub(crate) const PMCEID1: SystemRegister = el0(9, 12, 7);
pub(crate) const PMCCNTR: SystemRegister = el0(9, 13, 0);
pub(crate) const PMUSERENR: SystemRegister = el0(9, 14, 0);
pub(crate) const PMINTENSET: SystemRegister = el1(14, 1);
const PMINTENCLR: SystemRegister = el1(14, 2);
const PMOVSSET: SystemRegister = el0(9, 14, 3);
pub(crate) const PMMIR: SystemRegister = el1(14, 6);
pub(crate) const PMEVCNTR0: SystemRegister = el0(14, 8, 0);
pub(crate) const PMEVTYPER0: SystemRegister = el0(14, 12, 0);
pub(crate) const PMCCFILTR: SystemRegister = el0(14, 15, 7);

/// PMCR\[15:11\], the number of event counters.
pub(crate) const N: u32 = 11;
/// Since PMUv3p7: stops event counters once one of them has overflowed.
pub(crate) const FZO: u64 = 1 << 9;
/// Since PMUv3p5: lets event counters overflow at 2^64.
pub(crate) const LP: u64 = 1 << 7;
/// Lets PMCCNTR overflow at 2^64.
pub(crate) const LC: u64 = 1 << 6;
/// Stops the cycle counter where event counting is prohibited.
pub(crate) const DP: u64 = 1 << 5;
/// Exports events to the trace unit, which is not simulated.
const X: u64 = 1 << 4;
/// Counts only every 64th cycle, if LC is 0.
pub(crate) const D: u64 = 1 << 3;
/// Zeroes the cycle counter.
pub(crate) const C: u64 = 1 << 2;
/// Zeroes the event counters.
pub(crate) const P: u64 = 1 << 1;
/// Enables all counters.
pub(crate) const E: u64 = 1 << 0;

/// PMUSERENR\[0\].
pub(crate) const EN: u64 = 1 << 0;
/// PMUSERENR\[1\]: writes of PMSWINC.
pub(crate) const SW: u64 = 1 << 1;
/// PMUSERENR\[2\]: reads of PMCCNTR.
pub(crate) const CR: u64 = 1 << 2;
/// PMUSERENR\[3\]: reads of event counters.
pub(crate) const ER: u64 = 1 << 3;

/// MDCR_EL2\[4:0\]: the first counter of EL2.
pub(crate) const HPMN: u64 = 0x1F;
/// MDCR_EL2\[5\]: traps accesses to PMCR below EL2.
pub(crate) const TPMCR: u64 = 1 << 5;
/// MDCR_EL2\[6\] and MDCR_EL3\[6\]: trap accesses to all registers of the PMU from lower levels.
pub(crate) const TPM: u64 = 1 << 6;
/// MDCR_EL2\[7\]: enables the counters of EL2, in place of PMCR.E.
pub(crate) const HPME: u64 = 1 << 7;
/// MDCR_EL2\[17\]: prohibits event counting at EL2, except by the counters of EL2.
pub(crate) const HPMD: u64 = 1 << 17;
/// MDCR_EL2\[23\]: stops the cycle counter at EL2.
pub(crate) const HCCD: u64 = 1 << 23;
/// MDCR_EL2\[26\]: lets the counters of EL2 overflow at 2^64; PMCR.LP does not affect these
/// counters.
pub(crate) const HLP: u64 = 1 << 26;
/// MDCR_EL2\[29\]: stops the counters of EL2 once one of them has overflowed; PMCR.FZO does not
/// affect these counters.
pub(crate) const HPMFZO: u64 = 1 << 29;
/// MDCR_EL3\[17\]: permits event counting in Secure state and at EL3.
pub(crate) const SPME: u64 = 1 << 17;
/// MDCR_EL3\[23\]: stops the cycle counter in Secure state and at EL3.
pub(crate) const SCCD: u64 = 1 << 23;
/// MDCR_EL3\[34\]: stops the cycle counter at EL3.
pub(crate) const MCCD: u64 = 1 << 34;
/// MDCR_EL3\[35\]: prohibits event counting at EL3, and permits it in Secure state even if SPME is 0.
pub(crate) const MPMX: u64 = 1 << 35;

/// PMEVTYPER\[31:26\]: P, U, NSK, NSU, NSH and M.
pub(crate) const FILTER: u64 = 0xFC00_0000;
/// PMEVTYPER\[29:28\] and \[26\]: NSK, NSU and M, which a core without EL3 lacks.
pub(crate) const FILTER_OF_EL3: u64 = 0b11 << 28 | 1 << 26;
/// PMEVTYPER\[27\]: NSH, which a core without EL2 lacks.
pub(crate) const FILTER_OF_EL2: u64 = 1 << 27;
/// PMEVTYPER\[15:0\]; the first PMUv3 has only the lower ten bits.
pub(crate) const EVENT: u64 = 0xFFFF;

/// PMEVTYPER\[43:32\]: TH, in PMUv3p7; PMMIR.THWIDTH is its number of bits.
pub(crate) const TH: u32 = 32;
/// PMEVTYPER\[63:61\]: TC, in PMUv3p7.
pub(crate) const TC: u32 = 61;
/// PMMIR\[23:20\].
pub(crate) const THWIDTH: u32 = 20;

pub(crate) use crate::handle::CYCLES;
/// Mask with a bit for each event counter that a core can have.
pub(crate) const EVENT_COUNTERS: u64 = (1 << CYCLES) - 1;

/// A register with one bit for each counter in `all`.
const fn sets(name: &'static str, register: SystemRegister, all: u64) -> SysregRegister {
    SysregRegister { write_one_to_set: all, unknown: all, ..SysregRegister::new(name, register) }
}

const fn clears(
    name: &'static str,
    register: SystemRegister,
    held_at: SystemRegister,
    all: u64,
) -> SysregRegister {
    SysregRegister {
        write_one_to_clear: all,
        unknown: all,
        held_at,
        ..SysregRegister::new(name, register)
    }
}

/// Differences between cores.
pub(crate) struct Identity {
    pub counters: usize,
    /// PMCR\[23:16\]. `None` if PMCR\[31:16\] read as zero, as from Armv9 on.
    pub idcode: Option<u64>,
    /// PMMIR\[7:0\], the number of operation slots per cycle.
    pub slots: u64,
    /// The common events that the core has.
    pub pmceid: [u64; 2],
    pub version: Version,
}

impl Identity {
    pub const fn new(version: Version, counters: usize, pmceid: [u64; 2]) -> Self {
        Self { counters, idcode: None, slots: 0, pmceid, version }
    }
}

/// Merges the numbers of events of the architecture and of a core's own events, both in ascending order.
pub(crate) const fn merged<const N: usize>(
    mut common: &[u16],
    mut own: &[(u16, &str)],
) -> [u16; N] {
    let (mut all, mut nth) = ([0; N], 0);
    while nth < N {
        all[nth] = match (common, own) {
            ([code, rest @ ..], []) => {
                common = rest;
                *code
            }
            ([code, rest @ ..], [(next, _), ..]) if *code < *next => {
                common = rest;
                *code
            }
            (_, [(code, _), rest @ ..]) => {
                own = rest;
                *code
            }
            ([], []) => panic!("N is the number of all events"),
        };
        nth += 1;
    }
    all
}

/// Returns PMCEID0 and PMCEID1 of a core with these events.
pub(crate) const fn pmceid(mut events: &[u16]) -> [u64; 2] {
    let mut pmceid = [0; 2];
    while let [code, rest @ ..] = events {
        let upper_half = if *code < 0x4000 { 0 } else { 32 };
        if *code & !0x4000 < 0x40 {
            pmceid[(*code >> 5 & 1) as usize] |= 1 << (upper_half + (*code & 0x1F));
        }
        events = rest;
    }
    pmceid
}

/// The version of the PMU, by ID_AA64DFR0_EL1.PMUVer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Version {
    /// 1: codes of ten bits.
    V3,
    /// 4: codes of 16 bits, and common events from 0x4000 on.
    V3p1,
    /// 5: PMMIR.
    V3p4,
    /// 6: event counters of 64 bits.
    V3p5,
    /// 7: freezing on overflow. Version 8 adds nothing that this device simulates.
    V3p7,
}

impl Version {
    const fn is_since(self, other: Self) -> bool {
        self as u8 >= other as u8
    }

    /// The bits of an event's code.
    const fn event(self) -> u64 {
        if self.is_since(Self::V3p1) { EVENT } else { 0x3FF }
    }

    /// The bits of PMCEID0 and PMCEID1.
    const fn pmceid(self) -> u64 {
        if self.is_since(Self::V3p1) { u64::MAX } else { 0xFFFF_FFFF }
    }

    /// The bits of an event counter.
    const fn count(self) -> u64 {
        if self.is_since(Self::V3p5) { u64::MAX } else { 0xFFFF_FFFF }
    }

    /// The bits of a threshold and its condition in PMEVTYPER.
    const fn threshold(self) -> u64 {
        if self.is_since(Self::V3p7) { 0xFFF << TH | 0b111 << TC } else { 0 }
    }

    /// Bits of PMCR that later versions of PMUv3 added.
    const fn pmcr(self) -> u64 {
        if self.is_since(Self::V3p7) {
            FZO | LP
        } else if self.is_since(Self::V3p5) {
            LP
        } else {
            0
        }
    }
}

/// The registers in `all` that exist in this version.
pub(crate) const fn of_version(
    all: &'static [SysregRegister; 16],
    version: Version,
) -> &'static [SysregRegister] {
    let [before @ .., _] = all;
    if version.is_since(Version::V3p4) { all } else { before }
}

/// The registers of a core. The last register exists [since PMUv3p4](of_version).
pub(crate) const fn registers(of: &Identity) -> [SysregRegister; 16] {
    let event_counters = (1 << of.counters) - 1;
    let all = event_counters | 1 << CYCLES;
    let (count, later) = (of.version.count(), of.version.pmcr());
    let id = match of.idcode {
        Some(idcode) => 0x4100 | idcode,
        None => 0,
    };
    [
        // [31:24] IMP, [23:16] IDCODE, [15:11] N, [9] FZO, [7] LP, [6] LC, [5] DP, [4] X, [3] D, [2] C, [1] P, [0] E.
        SysregRegister {
            read_only: 0xFFFF_F800,
            read_write: later | LC | DP | X | D | E,
            write_one_to_act: C | P,
            reset: id << 16 | (of.counters as u64) << N,
            unknown: later | LC | DP | X | D,
            ..SysregRegister::new("PMCR_EL0", PMCR)
        },
        sets("PMCNTENSET_EL0", PMCNTENSET, all),
        clears("PMCNTENCLR_EL0", PMCNTENCLR, PMCNTENSET, all),
        clears("PMOVSCLR_EL0", PMOVSCLR, PMOVSCLR, all),
        SysregRegister {
            write_one_to_act: event_counters,
            ..SysregRegister::new("PMSWINC_EL0", PMSWINC)
        },
        SysregRegister {
            read_only: of.version.pmceid(),
            reset: of.pmceid[0],
            ..SysregRegister::new("PMCEID0_EL0", PMCEID0)
        },
        SysregRegister {
            read_only: of.version.pmceid(),
            reset: of.pmceid[1],
            ..SysregRegister::new("PMCEID1_EL0", PMCEID1)
        },
        SysregRegister {
            read_write: u64::MAX,
            unknown: u64::MAX,
            ..SysregRegister::new("PMCCNTR_EL0", PMCCNTR)
        },
        SysregRegister {
            user: UserAccess::Read,
            read_write: EN | SW | CR | ER,
            unknown: EN | SW | CR | ER,
            ..SysregRegister::new("PMUSERENR_EL0", PMUSERENR)
        },
        SysregRegister { user: UserAccess::Never, ..sets("PMINTENSET_EL1", PMINTENSET, all) },
        SysregRegister {
            user: UserAccess::Never,
            ..clears("PMINTENCLR_EL1", PMINTENCLR, PMINTENSET, all)
        },
        SysregRegister { held_at: PMOVSCLR, ..sets("PMOVSSET_EL0", PMOVSSET, all) },
        SysregRegister {
            count: of.counters,
            read_write: count,
            unknown: count,
            ..SysregRegister::new("PMEVCNTR_EL0", PMEVCNTR0)
        },
        SysregRegister {
            count: of.counters,
            read_write: FILTER | of.version.event() | of.version.threshold(),
            unknown: FILTER | of.version.event() | of.version.threshold(),
            ..SysregRegister::new("PMEVTYPER_EL0", PMEVTYPER0)
        },
        SysregRegister {
            read_write: FILTER,
            unknown: FILTER,
            ..SysregRegister::new("PMCCFILTR_EL0", PMCCFILTR)
        },
        // [23:20] THWIDTH, [19:16] BUS_WIDTH, [15:8] BUS_SLOTS, [7:0] SLOTS. The documents of these cores state no
        // field except SLOTS.
        SysregRegister {
            user: UserAccess::Never,
            read_only: 0x00FF_FFFF,
            reset: of.slots,
            ..SysregRegister::new("PMMIR_EL1", PMMIR)
        },
    ]
}

/// Registers outside the PMU that show how EL2 and EL3 limit the PMU.
///
/// MDCR_EL2 and MDCR_EL3 are as firmware leaves them: EL1 has all counters, which count at every level.
pub(crate) const fn controls(counters: usize, version: Version) -> [SysregRegister; 4] {
    let (of_el2, of_el3) = match version {
        Version::V3 => (0, 0),
        Version::V3p1 | Version::V3p4 => (HPMD, 0),
        Version::V3p5 => (HPMD | HCCD | HLP, SCCD),
        Version::V3p7 => (HPMD | HCCD | HLP | HPMFZO, SCCD | MCCD | MPMX),
    };
    [
        SysregRegister { read_only: 0b1100, ..SysregRegister::new("CurrentEL", CURRENT_EL) },
        // [15:12] EL3, [11:8] EL2, [7:4] EL1, [3:0] EL0: only AArch64.
        SysregRegister {
            read_only: 0xFFFF,
            reset: 0x1111,
            ..SysregRegister::new("ID_AA64PFR0_EL1", ID_AA64PFR0)
        },
        SysregRegister {
            read_write: HPMN | TPMCR | TPM | HPME | of_el2,
            reset: counters as u64,
            ..SysregRegister::new("MDCR_EL2", MDCR_EL2)
        },
        SysregRegister {
            read_write: TPM | SPME | of_el3,
            reset: SPME,
            ..SysregRegister::new("MDCR_EL3", MDCR_EL3)
        },
    ]
}
