//! Registers of a PMCG, by page.
//!
//! IHI 0070 10.5. The build options of products are in `mmu600` and `mmu700`. For 64-bit registers
//! on a 32-bit port, only words with a defined bit are listed.

use crate::register::Register;

const MOST: usize = 32;

/// Returns a word with one bit for each counter.
const fn each(counters: usize) -> u32 {
    u32::MAX >> (MOST - counters)
}

/// Offset of page 0 in the region of either unit.
pub(crate) const PAGE0: usize = 0x2000;
/// Offset of page 1 in the region of the TCU.
pub(crate) const TCU_PAGE1: usize = 0x22000;
/// Offset of page 1 in the region of a TBU.
pub(crate) const TBU_PAGE1: usize = 0x12000;
pub(crate) const PAGE_LENGTH: usize = 0x1000;

const fn counters(name: &'static str, offset: usize) -> Register {
    Register { count: MOST, stride: 4, ..Register::new(name, offset) }
}

/// Returns a register that sets or clears the bits of the register at `held_at`.
const fn sets(name: &'static str, offset: usize) -> Register {
    let each = each(MOST);
    Register { write_one_to_set: each, unknown: each, ..Register::new(name, offset) }
}
const fn clears(name: &'static str, offset: usize, held_at: usize) -> Register {
    let each = each(MOST);
    Register { write_one_to_clear: each, unknown: each, held_at, ..Register::new(name, offset) }
}

/// Returns `register` limited to the elements or bits that exist in a PMCG with `counters`
/// counters.
const fn limited(register: Register, counters: usize) -> Register {
    if register.count > 1 {
        return Register { count: register.count - (MOST - counters), ..register };
    }
    let each = each(counters);
    Register {
        write_one_to_set: register.write_one_to_set & each,
        write_one_to_clear: register.write_one_to_clear & each,
        unknown: register.unknown & each,
        ..register
    }
}

// [31] OVFCAP, [30] FILTER_SEC_SID, [29] FILTER_SID_SPAN, [15:0] EVENT. Counter 0 has the
// only filter (CFGR.SID_FILTER_TYPE = 1).
pub(crate) const EVTYPER0: Register = Register {
    read_write: OVFCAP | FILTER_SEC_SID | FILTER_SID_SPAN | EVENT,
    unknown: OVFCAP | FILTER_SEC_SID | FILTER_SID_SPAN | EVENT,
    ..Register::new("EVTYPER0", 0x400)
};
pub(crate) const EVTYPER: Register = Register {
    // EVTYPER0 is a separate register.
    count: MOST - 1,
    stride: 4,
    read_write: OVFCAP | EVENT,
    unknown: OVFCAP | EVENT,
    ..Register::new("EVTYPER1", 0x404)
};
pub(crate) const OVFCAP: u32 = 1 << 31;
pub(crate) const FILTER_SEC_SID: u32 = 1 << 30;
pub(crate) const FILTER_SID_SPAN: u32 = 1 << 29;
pub(crate) const EVENT: u32 = 0xFFFF;

// [31:0] STREAMID; a PMU may implement fewer bits.
pub(crate) const SMR0: Register =
    Register { read_write: u32::MAX, unknown: u32::MAX, ..Register::new("SMR0", 0xA00) };

pub(crate) const CNTENSET0: Register = sets("CNTENSET0", 0xC00);
const CNTENCLR0: Register = clears("CNTENCLR0", 0xC20, 0xC00);
pub(crate) const INTENSET0: Register = sets("INTENSET0", 0xC40);
const INTENCLR0: Register = clears("INTENCLR0", 0xC60, 0xC40);

// [31] reads as one, [1] NSRA, [0] SO. NSMSI is reserved if a PMCG has no MSIs.
pub(crate) const SCR: Register = Register {
    read_only: 1 << 31,
    read_write: NSRA | SO,
    reset: 1 << 31 | NSRA,
    ..Register::new("SCR", 0xDF8)
};
pub(crate) const NSRA: u32 = 1 << 1;
pub(crate) const SO: u32 = 1 << 0;

// [23] SID_FILTER_TYPE, [22] CAPTURE, [21] MSI, [20] RELOC_CTRS, [13:8] SIZE, [5:0] NCTR. The manuals
// print 0x31 for a SIZE of 31, which is not possible for a PMCG.
pub(crate) const CFGR: Register = Register::constant("CFGR", 0xE00, 0x00F0_3F3F, 0x00D0_1F00);
// [0] E.
pub(crate) const CR: Register = Register { read_write: 1, ..Register::new("CR", 0xE04) };
// [0] IRQEN.
pub(crate) const IRQ_CTRL: Register =
    Register { read_write: 1, ..Register::new("IRQ_CTRL", 0xE50) };
pub(crate) const IRQ_CTRLACK: Register = Register::constant("IRQ_CTRLACK", 0xE54, 1, 0);

// [7:0] part number [7:0].
pub(crate) const PIDR0: Register = Register::constant("PIDR0", 0xFE0, 0xFF, 0);
// [7:4] JEP106 code [3:0], [3:0] part number [11:8].
pub(crate) const PIDR1: Register = Register::constant("PIDR1", 0xFE4, 0xFF, 0xB4);
// [7:4] major revision, [3] JEDEC, [2:0] JEP106 code [6:4].
pub(crate) const PIDR2: Register = Register::constant("PIDR2", 0xFE8, 0xFF, 0x0B);
// [7:4] minor revision, [3:0] customer modification.
pub(crate) const PIDR3: Register = Register::constant("PIDR3", 0xFEC, 0xFF, 0x00);

/// The register is in page 1, like all registers that CFGR.RELOC_CTRS moves there.
pub(crate) const EVCNTR: Register =
    Register { read_write: u32::MAX, unknown: u32::MAX, ..counters("EVCNTR", 0x000) };
pub(crate) const SVR: Register =
    Register { read_only: u32::MAX, unknown: u32::MAX, ..counters("SVR", 0x600) };
const OVSCLR0: Register = clears("OVSCLR0", 0xC80, 0xCC0);
pub(crate) const OVSSET0: Register = sets("OVSSET0", 0xCC0);
// [0] CAPTURE.
pub(crate) const CAPR: Register = Register { write_one_to_act: 1, ..Register::new("CAPR", 0xD88) };

const ROWS: usize = 37;

/// Differences between the PMCGs of units.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) part: u16,
    /// `x` and `y` of revision rxpy.
    pub(crate) revision: (u8, u8),
    /// Bit n is set if event n is implemented. Events 32 to 127 are not implemented.
    pub(crate) common_events: u32,
    /// [7:4] major, [3:0] minor version of SMMUv3.
    pub(crate) architecture: u32,
    /// The fields of PMAUTHSTATUS, all zero.
    pub(crate) authentication: u32,
    pub(crate) page1: usize,
    pub(crate) counters: usize,
}

/// Returns the registers of a unit by their offsets in the unit's region.
pub(crate) const fn rows(unit: &Unit) -> [Register; ROWS] {
    let (counters, page1, (major, minor)) = (unit.counters, unit.page1, unit.revision);
    [
        EVTYPER0.moved(PAGE0),
        limited(EVTYPER, counters).moved(PAGE0),
        SMR0.moved(PAGE0),
        limited(CNTENSET0, counters).moved(PAGE0),
        limited(CNTENCLR0, counters).moved(PAGE0),
        limited(INTENSET0, counters).moved(PAGE0),
        limited(INTENCLR0, counters).moved(PAGE0),
        SCR.moved(PAGE0),
        Register { reset: CFGR.reset | (counters as u32 - 1), ..CFGR }.moved(PAGE0),
        CR.moved(PAGE0),
        Register::constant("CEID0", 0xE20, u32::MAX, unit.common_events).moved(PAGE0),
        Register::constant("CEID0_HI", 0xE24, u32::MAX, 0).moved(PAGE0),
        Register::constant("CEID1", 0xE28, u32::MAX, 0).moved(PAGE0),
        Register::constant("CEID1_HI", 0xE2C, u32::MAX, 0).moved(PAGE0),
        IRQ_CTRL.moved(PAGE0),
        IRQ_CTRLACK.moved(PAGE0),
        Register::constant("AIDR", 0xE70, 0xFF, unit.architecture).moved(PAGE0),
        // In a unit without an authentication interface, PMAUTHSTATUS has no fields.
        Register::constant("PMAUTHSTATUS", 0xFB8, unit.authentication, 0x00).moved(PAGE0),
        Register::constant("PMDEVARCH", 0xFBC, u32::MAX, 0x4770_2A56).moved(PAGE0),
        Register::constant("PMDEVTYPE", 0xFCC, 0xFF, 0x56).moved(PAGE0),
        Register::constant("PIDR4", 0xFD0, 0xFF, 0x04).moved(PAGE0),
        Register::constant("PIDR5", 0xFD4, 0x00, 0x00).moved(PAGE0),
        Register::constant("PIDR6", 0xFD8, 0x00, 0x00).moved(PAGE0),
        Register::constant("PIDR7", 0xFDC, 0x00, 0x00).moved(PAGE0),
        Register { reset: unit.part as u32 & 0xFF, ..PIDR0 }.moved(PAGE0),
        PIDR1.moved(PAGE0),
        Register { reset: PIDR2.reset | (major as u32) << 4, ..PIDR2 }.moved(PAGE0),
        Register { reset: PIDR3.reset | (minor as u32) << 4, ..PIDR3 }.moved(PAGE0),
        Register::constant("CIDR0", 0xFF0, 0xFF, 0x0D).moved(PAGE0),
        Register::constant("CIDR1", 0xFF4, 0xFF, 0x90).moved(PAGE0),
        Register::constant("CIDR2", 0xFF8, 0xFF, 0x05).moved(PAGE0),
        Register::constant("CIDR3", 0xFFC, 0xFF, 0xB1).moved(PAGE0),
        limited(EVCNTR, counters).moved(page1),
        limited(SVR, counters).moved(page1),
        limited(OVSCLR0, counters).moved(page1),
        limited(OVSSET0, counters).moved(page1),
        CAPR.moved(page1),
    ]
}
