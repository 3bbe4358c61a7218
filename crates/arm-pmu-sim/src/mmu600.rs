//! The Performance Monitor Counter Groups of a CoreLink MMU-600.
//!
//! Sources: 100310 (events, options, snapshot, Secure events); IHI 0070 10.5 (registers and their
//! behaviour); the Intel Agilex 5 register reference, an MMU-600 r2p2, for values and offsets in the
//! TCU; the MMU-600AE manual for the pages of a TBU; the Linux arm_smmuv3_pmu driver for the filter
//! codes; a statement of an Arm engineer on the Linux iommu list (2021-11-16) for the part numbers.

use crate::pmcg::*;

/// The simulated Performance Monitor Counter Group (PMCG) of a [TCU](Self::tcu) or a [TBU](Self::tbu)
/// in a CoreLink MMU-600.
///
/// A new device is an r2p2 after reset. Registers without a reset value (counters, event types,
/// shadows, filter, enables and overflow flags) contain noise. The clock runs, SCR.NSRA is 1,
/// SCR.SO is 0, and stores are posted. All methods take `&self`, so a test can change every
/// setting, signal events and run the clock while a driver owns the buses.
///
#[doc = include_str!("pmcg/device.md")]
#[derive(Debug)]
pub struct Mmu600 {
    port: RefCell<Port<State>>,
}

impl Mmu600 {
    /// All registers of a TCU's PMCG, by their offsets in the region of the TCU. Other offsets read
    /// as zero and ignore writes, even where the TCU has other registers.
    ///
    /// A word of a 64-bit register is omitted if the word has no defined bit.
    pub const TCU_REGISTERS: &'static [Register] = &rows(&TCU);
    /// All registers of a TBU's PMCG, as in [`TCU_REGISTERS`](Self::TCU_REGISTERS).
    pub const TBU_REGISTERS: &'static [Register] = &rows(&TBU);
}

pmcg_methods!(
    Mmu600,
    "mmu600",
    |counters| (counters == 4).then_some(Mmu600::TCU_REGISTERS),
    |counters| (counters == 4).then_some(Mmu600::TBU_REGISTERS)
);

/// StreamIDs have 24 bits.
const STREAM_ID: u32 = 0x00FF_FFFF;

/// Each unit has its own part number; 100310 prints the part number of the TCU for both units. The revision is from
/// the Agilex 5.
const TCU: Unit = Unit {
    part: 0x483,
    revision: (2, 2),
    common_events: 0x7F,
    architecture: 0x01,
    authentication: 0xFF,
    page1: TCU_PAGE1,
    counters: 4,
};
const TBU: Unit = Unit { part: 0x484, common_events: 0x87, page1: TBU_PAGE1, ..TCU };

/// 100310 tables 2-5 and 2-7.
fn kind_in_tcu(event: u16) -> Kind {
    match event {
        0x00 => Kind::Cycles,
        0x01..=0x06 | 0x80..=0x93 | 0xA0 => Kind::Filterable,
        0xC0..=0xC8 => Kind::Secure,
        _ => Kind::None,
    }
}

/// 100310 tables 2-6 and 2-8.
fn kind_in_tbu(event: u16) -> Kind {
    match event {
        0x00 => Kind::Cycles,
        0x01 | 0x02 | 0x07 | 0x80..=0x84 | 0x88..=0x8C => Kind::Filterable,
        0x85..=0x87 | 0xC0 => Kind::Secure,
        _ => Kind::None,
    }
}
