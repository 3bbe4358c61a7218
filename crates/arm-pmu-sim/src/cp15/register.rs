//! CP15 registers as data.

use arm_pmu_core::bus::Operands;

use crate::register_file::{Masks, Row};

/// One row of a map of CP15 registers: the register with one set of operands.
///
/// Each bit is in one of the masks that [`defined`](Self::defined) combines, or it is reserved and
/// ignores writes. A bit that shows no contents reads as zero, unless it is
/// [`unpredictable`](Self::unpredictable). The devices of this crate load and store by these masks, so
/// a row cannot contradict the device; a register may have additional side effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cp15Register {
    /// The name of the register.
    pub name: &'static str,
    /// Operands of MRC and MCR.
    pub operands: Operands,
    /// Number of registers at these operands: one for each event counter behind a selector,
    /// otherwise 1.
    pub count: usize,
    /// Access rights of User mode.
    pub user: UserAccess,
    /// Bits that hold the written value.
    pub read_write: u32,
    /// Bits that are readable and ignore writes.
    pub read_only: u32,
    /// Bits where writing 1 triggers an action, and writing 0 has no effect. They show nothing.
    pub write_one_to_act: u32,
    /// Set by the device; write 1 to clear.
    pub write_one_to_clear: u32,
    /// Write 1 to set; writing 0 has no effect.
    pub write_one_to_set: u32,
    /// Bits that read as noise, different at each read. These bits do not show any contents.
    pub unpredictable: u32,
    /// Bits that software must write as zero (SBZ).
    pub should_be_zero: u32,
    /// Bits that software must write as zero, or as it last read them (SBZP).
    pub should_be_zero_or_preserved: u32,
    /// Contents after reset; 0 where they are unknown.
    pub reset: u32,
    /// Bits that are unknown after reset.
    pub unknown: u32,
    /// Operands of the register that stores the bits. The operands differ from this register's own
    /// if two registers are views of the same bits, such as a set and a clear register.
    pub held_at: Operands,
}

/// Access rights of User mode to a CP15 register. Privileged software always has access; a refused
/// access is an Undefined Instruction exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserAccess {
    /// Reads and writes while user access is enabled.
    Enabled,
    /// Reads always, and writes never.
    Read,
    /// No access, even if user access is enabled.
    Never,
}

impl Cp15Register {
    /// Returns a register of reserved bits that read as zero, as the base of a row.
    pub(crate) const fn new(name: &'static str, operands: Operands) -> Self {
        Self {
            name,
            operands,
            count: 1,
            user: UserAccess::Enabled,
            read_write: 0,
            read_only: 0,
            write_one_to_act: 0,
            write_one_to_clear: 0,
            write_one_to_set: 0,
            unpredictable: 0,
            should_be_zero: 0,
            should_be_zero_or_preserved: 0,
            reset: 0,
            unknown: 0,
            held_at: operands,
        }
    }

    /// Returns the bits that are not reserved, whether or not they are readable.
    #[must_use]
    pub const fn defined(&self) -> u32 {
        self.readable() | self.write_one_to_act
    }

    /// Returns the bits that show their contents when read.
    #[must_use]
    pub const fn readable(&self) -> u32 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }
}

impl Row for Cp15Register {
    /// Operands, and the selected counter; 0 without a selector.
    type Cell = (Operands, usize);

    fn cells(&self) -> impl Iterator<Item = Self::Cell> {
        let operands = self.operands;
        (0..self.count).map(move |counter| (operands, counter))
    }

    fn index(&self, (operands, counter): Self::Cell) -> Option<usize> {
        (operands == self.operands && counter < self.count).then_some(counter)
    }

    fn held_at(&self, (_, counter): Self::Cell) -> Self::Cell {
        (self.held_at, counter)
    }

    fn masks(&self) -> Masks {
        Masks {
            read_write: self.read_write,
            read_only: self.read_only,
            write_one_to_act: self.write_one_to_act,
            write_one_to_clear: self.write_one_to_clear,
            write_one_to_set: self.write_one_to_set,
            reset: self.reset,
            unknown: self.unknown,
        }
    }

    fn describe((Operands { opc1, crn, crm, opc2 }, _): Self::Cell) -> String {
        format!("p15, {opc1}, c{crn}, c{crm}, {opc2}")
    }
}
