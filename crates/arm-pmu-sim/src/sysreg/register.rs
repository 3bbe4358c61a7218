//! System registers as data.

use arm_pmu_core::bus::SystemRegister;

use crate::cp15::UserAccess;

/// One row of a map of system registers: a register, or one for each event counter.
///
/// Each bit is in one of the masks that [`readable`](Self::readable) combines, or in
/// [`write_one_to_act`](Self::write_one_to_act), or it is reserved, reads as zero, and must be written as
/// zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SysregRegister {
    /// The name of the register.
    pub name: &'static str,
    /// Encoding of the register; for an array, encoding of the first element.
    pub register: SystemRegister,
    /// Number of elements; CRm and op2 count as one number.
    pub count: usize,
    /// Access rights of EL0.
    pub user: UserAccess,
    /// Bits that hold the written value.
    pub read_write: u64,
    /// Bits that are readable and ignore writes.
    pub read_only: u64,
    /// Bits where writing 1 triggers an action; they show no contents.
    pub write_one_to_act: u64,
    /// Set by the device; write 1 to clear.
    pub write_one_to_clear: u64,
    /// Write 1 to set; writing 0 has no effect.
    pub write_one_to_set: u64,
    /// Contents after reset; 0 where they are unknown.
    pub reset: u64,
    /// Bits that are unknown after reset.
    pub unknown: u64,
    /// Encoding of the register that stores the bits. The encoding differs from this register's own
    /// if two registers are views of the same bits, such as a set and a clear register.
    pub held_at: SystemRegister,
}

impl SysregRegister {
    /// Returns a register of reserved bits, as the base of a row.
    pub(crate) const fn new(name: &'static str, register: SystemRegister) -> Self {
        Self {
            name,
            register,
            count: 1,
            user: UserAccess::Enabled,
            read_write: 0,
            read_only: 0,
            write_one_to_act: 0,
            write_one_to_clear: 0,
            write_one_to_set: 0,
            reset: 0,
            unknown: 0,
            held_at: register,
        }
    }

    /// Returns the bits that show their contents when read.
    #[must_use]
    pub const fn readable(&self) -> u64 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }

    /// Returns the index of the element, if the register is one.
    pub(crate) fn element(&self, register: SystemRegister) -> Option<usize> {
        let number = |of: SystemRegister| usize::from(of.crm) * 8 + usize::from(of.op2);
        let element = number(register).checked_sub(number(self.register))?;
        (element < self.count && self.register.plus(element) == register).then_some(element)
    }
}
