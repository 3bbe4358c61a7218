//! System registers as data.

use arm_pmu_core::bus::SystemRegister;

use crate::cp15::UserAccess;

/// One row of a map of system registers: a register, or one for each event counter.
///
/// Each bit is in one of the masks that [`readable`](Self::readable) joins, in
/// [`write_one_to_act`](Self::write_one_to_act), or in none: then it is reserved, reads zero, and has to be
/// written as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SysregRegister {
    /// The name of the register.
    pub name: &'static str,
    /// The encoding; of an array, the first one.
    pub register: SystemRegister,
    /// Number of elements; CRm and op2 count as one number.
    pub count: usize,
    /// Access rights of EL0.
    pub user: UserAccess,
    /// Bits that hold the value written.
    pub read_write: u64,
    /// Bits that can be read, and ignore writes.
    pub read_only: u64,
    /// Bits that do something when written as one, and show nothing.
    pub write_one_to_act: u64,
    /// Set by the device; write 1 to clear.
    pub write_one_to_clear: u64,
    /// Write 1 to set; writing 0 has no effect.
    pub write_one_to_set: u64,
    /// Contents after reset; 0 where they are unknown.
    pub reset: u64,
    /// Bits that can hold anything after reset.
    pub unknown: u64,
    /// The register that stores the bits. It differs from this one if two registers are views of
    /// the same bits, as a set and a clear register are.
    pub held_at: SystemRegister,
}

impl SysregRegister {
    /// A register of reserved bits, to start a row from.
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

    /// Bits that show their contents when read.
    #[must_use]
    pub const fn readable(&self) -> u64 {
        self.read_write | self.read_only | self.write_one_to_clear | self.write_one_to_set
    }

    /// Index of the element, if it is one.
    pub(crate) fn element(&self, register: SystemRegister) -> Option<usize> {
        let number = |of: SystemRegister| usize::from(of.crm) * 8 + usize::from(of.op2);
        let element = number(register).checked_sub(number(self.register))?;
        (element < self.count && self.register.plus(element) == register).then_some(element)
    }
}
