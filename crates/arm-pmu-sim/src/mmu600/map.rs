//! The registers of a PMCG in an MMU-600, page by page.
//!
//! IHI 0070 10.5 for the registers, 100310 for what MMU-600 makes of the options, the Intel Agilex 5
//! register reference (an MMU-600 r2p2) for values. Of 64-bit registers, behind a 32-bit port, only
//! words with a bit that means something are listed.

use crate::register::Register;

pub(super) const COUNTERS: usize = 4;
/// One bit for each counter.
const EACH: u32 = (1 << COUNTERS) - 1;

/// The offset of page 0 in the region of either unit.
pub(super) const PAGE0: usize = 0x2000;
/// The offset of page 1 in the region of the TCU.
pub(super) const TCU_PAGE1: usize = 0x22000;
/// The offset of page 1 in the region of a TBU.
pub(super) const TBU_PAGE1: usize = 0x12000;

const fn counters(name: &'static str, offset: usize) -> Register {
    Register { count: COUNTERS, stride: 4, ..Register::new(name, offset) }
}

/// A register that sets bits of its own, or one that clears bits which are `held_at` another.
const fn sets(name: &'static str, offset: usize) -> Register {
    Register { write_one_to_set: EACH, unknown: EACH, ..Register::new(name, offset) }
}
const fn clears(name: &'static str, offset: usize, held_at: usize) -> Register {
    Register { write_one_to_clear: EACH, unknown: EACH, held_at, ..Register::new(name, offset) }
}

// [31] OVFCAP, [30] FILTER_SEC_SID, [29] FILTER_SID_SPAN, [15:0] EVENT. The one filter is that of
// counter 0 (CFGR.SID_FILTER_TYPE = 1).
pub(super) const EVTYPER0: Register = Register {
    read_write: OVFCAP | FILTER_SEC_SID | FILTER_SID_SPAN | EVENT,
    unknown: OVFCAP | FILTER_SEC_SID | FILTER_SID_SPAN | EVENT,
    ..Register::new("EVTYPER0", 0x400)
};
pub(super) const EVTYPER: Register = Register {
    count: COUNTERS - 1,
    stride: 4,
    read_write: OVFCAP | EVENT,
    unknown: OVFCAP | EVENT,
    ..Register::new("EVTYPER1", 0x404)
};
pub(super) const OVFCAP: u32 = 1 << 31;
pub(super) const FILTER_SEC_SID: u32 = 1 << 30;
pub(super) const FILTER_SID_SPAN: u32 = 1 << 29;
pub(super) const EVENT: u32 = 0xFFFF;

// [31:0] STREAMID, of which a PMU may implement fewer bits.
pub(super) const SMR0: Register =
    Register { read_write: u32::MAX, unknown: u32::MAX, ..Register::new("SMR0", 0xA00) };
// The StreamIDs of MMU-600 have 24 bits.
pub(super) const STREAM_ID: u32 = 0x00FF_FFFF;

pub(super) const CNTENSET0: Register = sets("CNTENSET0", 0xC00);
const CNTENCLR0: Register = clears("CNTENCLR0", 0xC20, 0xC00);
pub(super) const INTENSET0: Register = sets("INTENSET0", 0xC40);
const INTENCLR0: Register = clears("INTENCLR0", 0xC60, 0xC40);

// [31] reads as one, [1] NSRA, [0] SO. NSMSI is reserved without MSIs.
pub(super) const SCR: Register = Register {
    read_only: 1 << 31,
    read_write: NSRA | SO,
    reset: 1 << 31 | NSRA,
    ..Register::new("SCR", 0xDF8)
};
pub(super) const NSRA: u32 = 1 << 1;
pub(super) const SO: u32 = 1 << 0;

// [23] SID_FILTER_TYPE, [22] CAPTURE, [21] MSI, [20] RELOC_CTRS, [13:8] SIZE, [5:0] NCTR. 100310 prints
// 0x31 for a SIZE of 31, which no PMCG can have.
const CFGR: Register = Register::constant("CFGR", 0xE00, 0x00F0_3F3F, 0x00D0_1F03);
// [0] E.
pub(super) const CR: Register = Register { read_write: 1, ..Register::new("CR", 0xE04) };
// [0] IRQEN.
pub(super) const IRQ_CTRL: Register =
    Register { read_write: 1, ..Register::new("IRQ_CTRL", 0xE50) };
pub(super) const IRQ_CTRLACK: Register = Register::constant("IRQ_CTRLACK", 0xE54, 1, 0);

// [7:0] part number [7:0].
pub(super) const PIDR0: Register = Register::constant("PIDR0", 0xFE0, 0xFF, 0);
// [7:4] JEP106 code [3:0], [3:0] part number [11:8].
pub(super) const PIDR1: Register = Register::constant("PIDR1", 0xFE4, 0xFF, 0xB4);
// [7:4] major revision, [3] JEDEC, [2:0] JEP106 code [6:4].
pub(super) const PIDR2: Register = Register::constant("PIDR2", 0xFE8, 0xFF, 0x2B);
// [7:4] minor revision, [3:0] customer modification.
pub(super) const PIDR3: Register = Register::constant("PIDR3", 0xFEC, 0xFF, 0x20);

/// In page 1, as everything that CFGR.RELOC_CTRS moves there.
pub(super) const EVCNTR: Register =
    Register { read_write: u32::MAX, unknown: u32::MAX, ..counters("EVCNTR", 0x000) };
pub(super) const SVR: Register =
    Register { read_only: u32::MAX, unknown: u32::MAX, ..counters("SVR", 0x600) };
const OVSCLR0: Register = clears("OVSCLR0", 0xC80, 0xCC0);
pub(super) const OVSSET0: Register = sets("OVSSET0", 0xCC0);
// [0] CAPTURE.
pub(super) const CAPR: Register = Register { write_one_to_act: 1, ..Register::new("CAPR", 0xD88) };

const ROWS: usize = 37;

/// The registers of a unit by their offsets in its region.
const fn rows(part: u16, common_events: u32, page1: usize) -> [Register; ROWS] {
    [
        EVTYPER0.moved(PAGE0),
        EVTYPER.moved(PAGE0),
        SMR0.moved(PAGE0),
        CNTENSET0.moved(PAGE0),
        CNTENCLR0.moved(PAGE0),
        INTENSET0.moved(PAGE0),
        INTENCLR0.moved(PAGE0),
        SCR.moved(PAGE0),
        CFGR.moved(PAGE0),
        CR.moved(PAGE0),
        // Bit n is set if event n is there. Events 32 to 63, and 64 to 127, are not.
        Register::constant("CEID0", 0xE20, u32::MAX, common_events).moved(PAGE0),
        Register::constant("CEID0_HI", 0xE24, u32::MAX, 0).moved(PAGE0),
        Register::constant("CEID1", 0xE28, u32::MAX, 0).moved(PAGE0),
        Register::constant("CEID1_HI", 0xE2C, u32::MAX, 0).moved(PAGE0),
        IRQ_CTRL.moved(PAGE0),
        IRQ_CTRLACK.moved(PAGE0),
        // [7:4] major, [3:0] minor version of SMMUv3: 3.1.
        Register::constant("AIDR", 0xE70, 0xFF, 0x01).moved(PAGE0),
        // There is no authentication interface.
        Register::constant("PMAUTHSTATUS", 0xFB8, 0xFF, 0x00).moved(PAGE0),
        Register::constant("PMDEVARCH", 0xFBC, u32::MAX, 0x4770_2A56).moved(PAGE0),
        Register::constant("PMDEVTYPE", 0xFCC, 0xFF, 0x56).moved(PAGE0),
        Register::constant("PIDR4", 0xFD0, 0xFF, 0x04).moved(PAGE0),
        Register::constant("PIDR5", 0xFD4, 0x00, 0x00).moved(PAGE0),
        Register::constant("PIDR6", 0xFD8, 0x00, 0x00).moved(PAGE0),
        Register::constant("PIDR7", 0xFDC, 0x00, 0x00).moved(PAGE0),
        Register { reset: part as u32 & 0xFF, ..PIDR0 }.moved(PAGE0),
        PIDR1.moved(PAGE0),
        PIDR2.moved(PAGE0),
        PIDR3.moved(PAGE0),
        Register::constant("CIDR0", 0xFF0, 0xFF, 0x0D).moved(PAGE0),
        Register::constant("CIDR1", 0xFF4, 0xFF, 0x90).moved(PAGE0),
        Register::constant("CIDR2", 0xFF8, 0xFF, 0x05).moved(PAGE0),
        Register::constant("CIDR3", 0xFFC, 0xFF, 0xB1).moved(PAGE0),
        EVCNTR.moved(page1),
        SVR.moved(page1),
        OVSCLR0.moved(page1),
        OVSSET0.moved(page1),
        CAPR.moved(page1),
    ]
}

/// Part numbers. The PMCG has that of the unit it sits in; 100310 prints the TCU's for both.
pub(super) const TCU_PART: u16 = 0x483;
pub(super) const TBU_PART: u16 = 0x484;

pub(super) const TCU: &[Register] = &rows(TCU_PART, 0x7F, TCU_PAGE1);
pub(super) const TBU: &[Register] = &rows(TBU_PART, 0x87, TBU_PAGE1);
