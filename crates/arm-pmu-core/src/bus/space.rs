//! Register spaces, and locations in a space.

use core::fmt;
use core::marker::PhantomData;

/// A set of registers that one kind of bus can access.
///
/// A space is a type without values, defined in the crate that describes the registers. A
/// [`Bus`](crate::bus::Bus) accesses one space, and an access to a register of another space does
/// not compile.
///
/// A space also implements [`MemorySpace`], [`Cp15Space`] or [`SysregSpace`].
pub trait Space {
    /// Identifies one register of the space.
    type Key: Copy + fmt::Debug + Eq;

    /// Permission to create a [`Location`] in this space.
    ///
    /// The type should have a private field, so that only the crate of the space can create a value. Other
    /// crates can then copy the location of a described register, but cannot make a new location.
    type Permit: Copy;
}

/// Registers in one region of memory. The key of a register is its offset in bytes.
pub trait MemorySpace: Space<Key = usize> {
    /// Length of the region in bytes.
    const LENGTH: usize;
    /// Number of the page, if the device has pages with separate base addresses.
    ///
    /// Simulated devices use the number to distinguish the buses of two pages.
    const PAGE: usize = 0;
}

/// A region with two pages of registers, where each page is a space.
///
/// [`IntoPages`](crate::bus::IntoPages) splits it.
pub trait TwoPages: MemorySpace {
    /// Space of the first page.
    type Page0: MemorySpace;
    /// Space of the second page.
    type Page1: MemorySpace;
    /// Offset of the first page in the region, in bytes.
    const PAGE0: usize;
    /// Offset of the second page in the region, in bytes.
    const PAGE1: usize;
}

/// Performance monitor registers in coprocessor 15 of an Arm core.
pub trait Cp15Space: Space<Key = Operands> {}

/// Operands of a CP15 register: `MRC p15, opc1, Rt, CRn, CRm, opc2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operands {
    /// First opcode, 0 to 7.
    pub opc1: u8,
    /// Number of the coprocessor register, 0 to 15.
    pub crn: u8,
    /// Number of the additional coprocessor register, 0 to 15.
    pub crm: u8,
    /// Second opcode, 0 to 7.
    pub opc2: u8,
}

impl Operands {
    /// Returns whether these operands select a performance monitor register.
    ///
    /// - c9, c12 to c14: ARMv7 and Cortex-A8. c15, c12, opc2 0 to 3: ARM11. c15, c9, 0: the access
    ///   validation of an ARM1176, which permits User mode to access the other registers
    ///
    /// [`Cp15`](crate::bus::Cp15) accesses only these registers. Other CP15 registers control the MMU and
    /// the caches, so a write to them could break memory safety.
    #[must_use]
    pub const fn is_performance_monitor(self) -> bool {
        matches!(
            self,
            Self { opc1: 0, crn: 9, crm: 12..=14, opc2: 0..=7 }
                | Self { opc1: 0, crn: 15, crm: 12, opc2: 0..=3 }
                | Self { opc1: 0, crn: 15, crm: 9, opc2: 0 }
        )
    }
}

/// Performance monitor registers that AArch64 code accesses with MRS and MSR.
pub trait SysregSpace: Space<Key = SystemRegister> {}

/// Encoding of one AArch64 system register: `MRS Xt, S<op0>_<op1>_C<crn>_C<crm>_<op2>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SystemRegister {
    /// 2 or 3.
    pub op0: u8,
    /// 0 to 7.
    pub op1: u8,
    /// 0 to 15.
    pub crn: u8,
    /// 0 to 15.
    pub crm: u8,
    /// 0 to 7.
    pub op2: u8,
}

impl SystemRegister {
    /// Returns the register that is `elements` encodings after this register. CRm and op2 together
    /// count as one number.
    ///
    /// Example: PMEVCNTR8_EL0 is 8 encodings after PMEVCNTR0_EL0: the same op2, and the next CRm.
    ///
    /// ```
    /// use arm_pmu_core::bus::SystemRegister;
    ///
    /// let pmevcntr0 = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 8, op2: 0 };
    /// assert_eq!(pmevcntr0.plus(30), SystemRegister { crm: 11, op2: 6, ..pmevcntr0 });
    /// ```
    #[must_use]
    pub const fn plus(self, elements: usize) -> Self {
        let number = self.crm as usize * 8 + self.op2 as usize + elements;
        Self { crm: (number / 8) as u8, op2: (number % 8) as u8, ..self }
    }

    /// Returns whether this is a performance monitor register that a measurement needs.
    ///
    /// - op1 3, c9, c12 to c14: from PMCR_EL0 to PMOVSSET_EL0
    /// - op1 0, c9, c14: the interrupt enables, and PMMIR_EL1
    /// - op1 3, c14, c8 to c15: the event counters, their events, and the filter of the cycle counter
    /// - op1 0, c15, c5 and c6 up to op2 5: the PMU of the cluster of a DynamIQ Shared Unit; op1 6, c15, c6, 3: its
    ///   control for EL3. On other cores, these encodings are undefined or select other registers
    ///
    /// [`Sysreg`](crate::bus::Sysreg) accesses only these registers. Other system registers control the MMU
    /// and the caches, so a write to them could break memory safety.
    #[must_use]
    pub const fn is_performance_monitor(self) -> bool {
        matches!(
            self,
            Self { op0: 3, op1: 3, crn: 9, crm: 12..=14, op2: 0..=7 }
                | Self { op0: 3, op1: 0, crn: 9, crm: 14, op2: 0..=7 }
                | Self { op0: 3, op1: 3, crn: 14, crm: 8..=15, op2: 0..=7 }
                | Self { op0: 3, op1: 0, crn: 15, crm: 5, op2: 0..=7 }
                | Self { op0: 3, op1: 0, crn: 15, crm: 6, op2: 0..=5 }
                | Self { op0: 3, op1: 6, crn: 15, crm: 6, op2: 3 }
        )
    }
}

/// Type of a register's value, as wide as one access.
///
/// The trait is implemented for `u32`, and for `u64`, the width of system registers. Other crates cannot implement this
/// trait.
pub trait Word: Copy + fmt::Debug + Eq + Into<u64> + sealed::Word {
    /// Width in bytes.
    const BYTES: usize;

    /// Returns the low bits of `value`.
    fn truncate(value: u64) -> Self;
}

impl Word for u32 {
    const BYTES: usize = 4;

    #[inline(always)]
    fn truncate(value: u64) -> Self {
        value as Self
    }
}

impl Word for u64 {
    const BYTES: usize = 8;

    #[inline(always)]
    fn truncate(value: u64) -> Self {
        value
    }
}

mod sealed {
    /// Restricts [`Word`](super::Word) to the types that buses can access.
    pub trait Word {}
    impl Word for u32 {}
    impl Word for u64 {}
}

/// Location of a register or of an array of registers.
///
/// Only the crate of the space can create a location. The constructors check that all elements in memory are aligned
/// and lie inside the region, so a bus does not check them again. `U` is part of the type, so a copy of a location
/// cannot be used for a wider access.
pub struct Location<S: Space, U = u32> {
    key: S::Key,
    count: usize,
    stride: usize,
    word: PhantomData<U>,
}

impl<S: Space, U> Location<S, U> {
    /// Returns the key of the register, or of element 0 of an array.
    #[must_use]
    pub const fn key(self) -> S::Key {
        self.key
    }

    /// Returns the number of elements; 1 for a single register.
    #[must_use]
    pub const fn count(self) -> usize {
        self.count
    }

    /// Returns the distance between two elements in bytes; 0 for a single register.
    #[must_use]
    pub const fn stride(self) -> usize {
        self.stride
    }
}

impl<S: MemorySpace, U: Word> Location<S, U> {
    /// Locates a single register at `offset` bytes from the start of the region.
    ///
    /// # Panics
    ///
    /// Like [`array`](Self::array).
    #[must_use]
    pub const fn at(permit: S::Permit, offset: usize) -> Self {
        Self::array(permit, offset, 1, 0)
    }

    /// Locates an array of `count` registers, `stride` bytes apart.
    ///
    /// The first register is at `offset` bytes from the start of the region.
    ///
    /// # Panics
    ///
    /// Panics if a register lies outside the region or is not aligned. In a constant such as
    /// [`RegisterSpec::LOCATION`], the panic is a compile error.
    #[must_use]
    pub const fn array(_: S::Permit, offset: usize, count: usize, stride: usize) -> Self {
        assert!(
            fits(S::LENGTH, U::BYTES, offset, count, stride),
            "a register lies outside its region or is not aligned"
        );
        Self { key: offset, count, stride, word: PhantomData }
    }

    /// Returns the offset of element `index` in bytes.
    ///
    /// In release builds, an index beyond the array selects the last element. Therefore the access
    /// stays inside the array, and drivers contain no panicking code.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if `index` is not less than [`count`](Self::count).
    #[inline(always)]
    #[must_use]
    pub const fn offset(self, index: usize) -> usize {
        debug_assert!(index < self.count, "register index out of range");
        self.key + inside(index, self.count) * self.stride
    }
}

impl<S: Cp15Space> Location<S> {
    /// Locates the register with these operands.
    #[must_use]
    pub const fn cp15(_: S::Permit, operands: Operands) -> Self {
        Self { key: operands, count: 1, stride: 0, word: PhantomData }
    }
}

impl<S: SysregSpace> Location<S, u64> {
    /// Highest number of registers in an array: one for each event counter of a PMU.
    const MOST: usize = 31;

    /// Locates the register with this encoding.
    #[must_use]
    pub const fn sysreg(permit: S::Permit, register: SystemRegister) -> Self {
        Self::sysregs(permit, register, 1)
    }

    /// Locates an array of `count` registers that starts at this register.
    ///
    /// Each register is [one encoding](SystemRegister::plus) after the previous one.
    ///
    /// # Panics
    ///
    /// Panics if `count` is 0 or above 31. In a constant such as [`RegisterSpec::LOCATION`], the panic is a compile
    /// error.
    #[must_use]
    pub const fn sysregs(_: S::Permit, register: SystemRegister, count: usize) -> Self {
        assert!(0 < count && count <= Self::MOST, "an array has from 1 to 31 system registers");
        Self { key: register, count, stride: 0, word: PhantomData }
    }
}

impl<S: Space<Key = SystemRegister>, U> Location<S, U> {
    /// Returns the encoding of element `index`, or of the last element if `index` is too large.
    #[must_use]
    pub const fn register(self, index: usize) -> SystemRegister {
        self.key.plus(inside(index, self.count))
    }

    /// Returns whether all elements are [performance monitor
    /// registers](SystemRegister::is_performance_monitor).
    #[must_use]
    pub const fn are_performance_monitors(self) -> bool {
        let mut element = 0;
        while element < self.count {
            if !self.key.plus(element).is_performance_monitor() {
                return false;
            }
            element += 1;
        }
        true
    }
}

impl<S: Space, U> Clone for Location<S, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Space, U> Copy for Location<S, U> {}

impl<S: Space, U> fmt::Debug for Location<S, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Location")
            .field("key", &self.key)
            .field("count", &self.count)
            .field("stride", &self.stride)
            .finish()
    }
}

/// Limits an index to the last element.
const fn inside(index: usize, count: usize) -> usize {
    if index < count { index } else { count - 1 }
}

/// Returns whether all elements are aligned and end inside the region.
///
/// All arguments but `count` are in bytes. An element has `bytes` bytes, a power of two, and must be aligned to
/// this size.
const fn fits(length: usize, bytes: usize, offset: usize, count: usize, stride: usize) -> bool {
    if count == 0 || (offset | stride) & (bytes - 1) != 0 {
        return false;
    }
    let Some(span) = stride.checked_mul(count - 1) else { return false };
    let Some(last) = offset.checked_add(span) else { return false };
    match last.checked_add(bytes) {
        Some(end) => end <= length,
        None => false,
    }
}

/// Description of one register: its location, and the masks that a write uses to form its value.
///
/// Generated code implements this trait. [`KEEP`](Self::KEEP) and [`INITIAL`](Self::INITIAL) prevent accidents:
/// clearing a flag, writing back the unpredictable value of a reset bit, or setting a bit that must be written as
/// zero.
///
/// Any crate can implement this trait, but only with a [`LOCATION`](Self::LOCATION) that it can create or
/// copy. If another crate owns the space, the location can only be a copy: the location of a
/// register that the owner describes.
pub trait RegisterSpec {
    /// Space of the register.
    type Space: Space;
    /// Type of the register's value.
    type Ux: Word;
    /// Location of the register in its space.
    const LOCATION: Location<Self::Space, Self::Ux>;
    /// Initial value of `write`.
    ///
    /// In the initial value, writable fields have their reset values, and bits that must be written
    /// as one are set.
    const INITIAL: Self::Ux;
    /// Bits of the read value that `modify` keeps.
    ///
    /// All other bits are written as zero unless the closure sets them.
    const KEEP: Self::Ux;
}

#[cfg(test)]
mod tests {
    use super::*;

    enum Region {}
    impl Space for Region {
        type Key = usize;
        type Permit = ();
    }
    impl MemorySpace for Region {
        const LENGTH: usize = 0x100;
    }

    #[test]
    fn offsets_step_by_the_stride() {
        let single = Location::<Region>::at((), 0x80);
        assert_eq!((single.offset(0), single.key()), (0x80, 0x80));
        assert_eq!((single.count(), single.stride()), (1, 0));
        let array = Location::<Region>::array((), 0x3C, 4, 0x40);
        assert_eq!((array.offset(0), array.offset(3)), (0x3C, 0xFC));
        assert_eq!((array.key(), array.count(), array.stride()), (0x3C, 4, 0x40));
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "register index out of range"))]
    fn an_index_past_the_end_panics_or_is_the_last_element() {
        assert_eq!(Location::<Region>::array((), 0, 4, 0x40).offset(4), 0xC0);
    }

    #[test]
    fn an_index_past_the_end_becomes_the_last() {
        for count in 1..10 {
            for index in (0..20).chain([usize::MAX]) {
                assert_eq!(inside(index, count), index.min(count - 1));
            }
        }
    }

    #[test]
    #[should_panic(expected = "outside its region")]
    fn a_location_outside_the_region_is_refused() {
        let _ = Location::<Region>::at((), 0x100);
    }

    #[test]
    fn only_aligned_registers_inside_the_region_fit() {
        assert!(fits(0x100, 4, 0x3C, 4, 0x40));
        assert!(!fits(0x100, 4, 0x40, 4, 0x40), "the last element ends outside");
        assert!(!fits(0x100, 4, 2, 1, 0), "not aligned");
        assert!(!fits(0x100, 4, 0, 2, 2), "the second is not aligned");
        assert!(!fits(0x100, 4, 0, 0, 4), "no element at all");
        assert!(!fits(0x100, 4, 8, 3, usize::MAX / 2 / 4 * 4), "the span overflows");
        assert!(!fits(0x100, 4, usize::MAX - 3, 1, 0), "the end overflows");
        assert!(fits(0x100, 8, 0xF8, 1, 0));
        assert!(!fits(0x100, 8, 0xFC, 1, 0) && !fits(0xFC, 8, 0xF8, 1, 0), "a wider register");
    }

    enum Core {}
    impl Space for Core {
        type Key = SystemRegister;
        type Permit = ();
    }
    impl SysregSpace for Core {}

    const PMEVCNTR0: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 8, op2: 0 };

    #[test]
    fn system_registers_are_numbered_by_crm_and_op2() {
        let all = Location::<Core, u64>::sysregs((), PMEVCNTR0, 31);
        let of = |index| (all.register(index).crm, all.register(index).op2);
        assert_eq!([0, 7, 8, 30].map(of), [(8, 0), (8, 7), (9, 0), (11, 6)]);
        assert_eq!(all.register(31), all.register(30), "an index past the end selects the last");
        assert_eq!((all.count(), all.stride(), all.are_performance_monitors()), (31, 0, true));
        let single = Location::<Core, u64>::sysreg((), PMEVCNTR0);
        assert_eq!((single.count(), single.register(3)), (1, PMEVCNTR0));
    }

    #[test]
    fn are_performance_monitors_checks_the_last_element() {
        let last = SystemRegister { crm: 15, op2: 7, ..PMEVCNTR0 };
        let all = |count| Location::<Core, u64>::sysregs((), last, count);
        assert!(all(1).are_performance_monitors() && !all(2).are_performance_monitors());
    }

    #[test]
    #[should_panic(expected = "from 1 to 31")]
    fn a_sysreg_array_has_at_most_31_elements() {
        let _ = Location::<Core, u64>::sysregs((), PMEVCNTR0, 32);
    }
}
