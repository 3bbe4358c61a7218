//! Where registers live.

use core::fmt::Debug;

/// A kind of place in which registers live.
///
/// A [`Bus`](crate::Bus) reaches one space, and a register [located](RegisterSpec) in another space does
/// not fit it: a compile error, not a stray access.
pub trait Space {
    /// What names one register of the space.
    type Key: Copy + Debug + Eq;
}

/// Memory-mapped registers in a region of `LENGTH` bytes; the key is the offset in bytes.
///
/// The length is part of the type so that an access outside the region cannot be written in safe
/// code, at no cost at run time: see [`Memory::offset`]. A device that has its registers in several
/// regions, each with a base of its own, numbers them by `PAGE`, so that one cannot be taken for
/// another.
#[derive(Debug)]
pub enum Memory<const LENGTH: usize, const PAGE: usize = 0> {}

impl<const LENGTH: usize, const PAGE: usize> Space for Memory<LENGTH, PAGE> {
    type Key = usize;
}

impl<const LENGTH: usize, const PAGE: usize> Memory<LENGTH, PAGE> {
    /// The offset in bytes of element `index` of the register `S`.
    ///
    /// That every element of `S` is aligned and lies inside the region is checked when the program
    /// is compiled. An `index` that is too large is a mistake of the program, which is told in debug
    /// builds; otherwise it means the last element, so that it stays inside the region and drivers
    /// hold no code that panics.
    ///
    /// # Panics
    ///
    /// In debug builds, if `index` is not less than [`RegisterSpec::COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn offset<S: RegisterSpec<Space = Self>>(index: usize) -> usize {
        const {
            assert!(
                fits::<S, LENGTH, PAGE>(),
                "a register lies outside its region or is not aligned"
            )
        }
        debug_assert!(index < S::COUNT, "register index out of range");
        S::KEY + inside(index, S::COUNT) * S::STRIDE
    }
}

/// The index if there is an element with it, else that of the last one: the bound that every access
/// relies on.
const fn inside(index: usize, count: usize) -> usize {
    if index < count { index } else { count - 1 }
}

/// Whether all elements of `S` are 32-bit aligned and end inside `length` bytes.
const fn fits<
    S: RegisterSpec<Space = Memory<LENGTH, PAGE>>,
    const LENGTH: usize,
    const PAGE: usize,
>() -> bool {
    if S::COUNT == 0 || S::KEY % 4 != 0 || S::STRIDE % 4 != 0 {
        return false;
    }
    let Some(span) = S::STRIDE.checked_mul(S::COUNT - 1) else { return false };
    let Some(last) = S::KEY.checked_add(span) else { return false };
    match last.checked_add(4) {
        Some(end) => end <= LENGTH,
        None => false,
    }
}

/// Registers of system control coprocessor 15 of an Arm core; the key is the operands of MRC and MCR.
#[derive(Debug)]
pub enum Cp15 {}

impl Space for Cp15 {
    type Key = Operands;
}

/// The operands that name one CP15 register: `MRC p15, opc1, Rt, CRn, CRm, opc2`.
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

/// A 32-bit register: where it is, and what `write` and `modify` start from.
///
/// Implemented by generated code, one line of a spec each. [`KEEP`](Self::KEEP) and
/// [`INITIAL`](Self::INITIAL) make it impossible to clear a flag by accident, to repeat a reset bit
/// that reads unpredictably, or to set a bit that has to be written as zero.
pub trait RegisterSpec {
    /// The space that holds the register.
    type Space: Space;
    /// The register in its space; of an array, element 0.
    const KEY: <Self::Space as Space>::Key;
    /// How many times the register is there.
    const COUNT: usize = 1;
    /// From one element to the next, in bytes. 0 for a single register.
    const STRIDE: usize = 0;
    /// The bits that `write` starts from: reset values of fields that can be written, and bits that
    /// have to be written as one.
    const INITIAL: u32;
    /// The bits that `modify` carries over from the value read. All others are written as zero
    /// unless the closure sets them.
    const KEEP: u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Single;
    impl RegisterSpec for Single {
        type Space = Memory<0x104>;
        const KEY: usize = 0x100;
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    struct Array<const COUNT: usize, const STRIDE: usize, const KEY: usize>;
    impl<const COUNT: usize, const STRIDE: usize, const KEY: usize> RegisterSpec
        for Array<COUNT, STRIDE, KEY>
    {
        type Space = Memory<0x100>;
        const KEY: usize = KEY;
        const COUNT: usize = COUNT;
        const STRIDE: usize = STRIDE;
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }

    #[test]
    fn offsets_step_by_the_stride() {
        assert_eq!(Memory::offset::<Single>(0), 0x100);
        assert_eq!(Memory::offset::<Array<4, 0x40, 0x3C>>(0), 0x3C);
        assert_eq!(Memory::offset::<Array<4, 0x40, 0x3C>>(3), 0xFC);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "register index out of range"))]
    fn an_index_past_the_last_element_stays_inside() {
        assert_eq!(Memory::offset::<Array<4, 0x40, 0>>(4), 0xC0);
    }

    #[test]
    fn every_index_is_brought_inside() {
        for count in 1..10 {
            for index in (0..20).chain([usize::MAX]) {
                assert_eq!(inside(index, count), index.min(count - 1));
            }
        }
    }

    #[test]
    fn only_aligned_registers_inside_the_region_fit() {
        assert!(fits::<Array<4, 0x40, 0x3C>, 0x100, 0>());
        assert!(!fits::<Array<4, 0x40, 0x40>, 0x100, 0>(), "the last element ends outside");
        assert!(!fits::<Array<1, 0, 2>, 0x100, 0>(), "not aligned");
        assert!(!fits::<Array<2, 2, 0>, 0x100, 0>(), "the second is not aligned");
        assert!(!fits::<Array<0, 4, 0>, 0x100, 0>(), "no element at all");
        assert!(!fits::<Array<3, { usize::MAX / 2 / 4 * 4 }, 8>, 0x100, 0>(), "the span overflows");
        assert!(!fits::<Array<1, 0, { usize::MAX - 3 }>, 0x100, 0>(), "the end overflows");
    }
}
