//! The Performance Monitor Counter Groups of a CoreLink MMU-700.
//!
//! Sources: 101542_0102_09 (events, options, page offsets, identification); IHI 0070 10.5 (registers and
//! their behaviour); gator for the part number of a TBU. Where the manual of the MMU-700 leaves the behaviour open, the
//! device behaves like an MMU-600.

use crate::pmcg::*;

/// The simulated Performance Monitor Counter Group (PMCG) of a [TCU](Self::tcu) or a [TBU](Self::tbu)
/// in a CoreLink MMU-700.
///
/// A new device is an r1p2 after reset, with 4 counters. Registers without a reset value (counters, event types,
/// shadows, filter, enables and overflow flags) contain noise. The clock runs, SCR.NSRA is 1, SCR.SO is 0, and
/// stores are posted. All methods take `&self`, so a test can change every setting, signal events and run the
/// clock while a driver owns the buses.
///
#[doc = include_str!("pmcg/device.md")]
#[derive(Debug)]
pub struct Mmu700 {
    port: RefCell<Port<State>>,
}

impl Mmu700 {
    /// All registers of a TCU's PMCG with 32 counters, by their offsets in the region of the TCU. Other offsets read
    /// as zero and ignore writes, even where the TCU has other registers.
    ///
    /// A word of a 64-bit register is omitted if the word has no defined bit.
    pub const TCU_REGISTERS: &'static [Register] = &rows(&Unit { counters: 32, ..TCU });
    /// All registers of a TBU's PMCG, as in [`TCU_REGISTERS`](Self::TCU_REGISTERS).
    pub const TBU_REGISTERS: &'static [Register] = &rows(&Unit { counters: 32, ..TBU });
}

pmcg_methods!(Mmu700, "mmu700", tcu_registers, tbu_registers);

impl Mmu700 {
    /// Builds the unit with another number of counters (2, 4, 16 or 32), and resets it.
    ///
    /// A TCU has 4, 16 or 32 counters. The numbers that a TBU can have are not known.
    ///
    /// # Panics
    ///
    /// With another number.
    pub fn set_counters(&self, counters: usize) {
        self.state(|state| state.set_counters(counters));
    }
}

/// StreamIDs have 32 bits.
const STREAM_ID: u32 = u32::MAX;

const TCU: Unit = Unit {
    part: 0x487,
    revision: (1, 2),
    common_events: 0x7F,
    architecture: 0x02,
    authentication: 0,
    page1: TCU_PAGE1,
    counters: 4,
};
/// Part number of the TBU; 101542 prints the part number of the TCU instead.
const TBU: Unit = Unit { part: 0x488, common_events: 0x87, page1: TBU_PAGE1, ..TCU };

fn tcu_registers(counters: usize) -> Option<&'static [Register]> {
    match counters {
        2 => Some(const { &rows(&Unit { counters: 2, ..TCU }) }),
        4 => Some(const { &rows(&TCU) }),
        16 => Some(const { &rows(&Unit { counters: 16, ..TCU }) }),
        32 => Some(Mmu700::TCU_REGISTERS),
        _ => None,
    }
}

fn tbu_registers(counters: usize) -> Option<&'static [Register]> {
    match counters {
        2 => Some(const { &rows(&Unit { counters: 2, ..TBU }) }),
        4 => Some(const { &rows(&TBU) }),
        16 => Some(const { &rows(&Unit { counters: 16, ..TBU }) }),
        32 => Some(Mmu700::TBU_REGISTERS),
        _ => None,
    }
}

/// 101542_0102_09 tables 2-6 and 2-8.
fn kind_in_tcu(event: u16) -> Kind {
    match event {
        0x00 => Kind::Cycles,
        0x01..=0x06 | 0x80..=0x94 | 0xA0 => Kind::Filterable,
        _ => Kind::None,
    }
}

/// 101542_0102_09 tables 2-7 and 2-9.
fn kind_in_tbu(event: u16) -> Kind {
    match event {
        0x00 => Kind::Cycles,
        0x01 | 0x02 | 0x07 | 0x80..=0x84 | 0x8B | 0x8C => Kind::Filterable,
        0x85..=0x87 => Kind::Secure,
        0x8D | 0xD0..=0xD7 | 0xE0..=0xE7 => Kind::Unfilterable,
        _ => Kind::None,
    }
}
