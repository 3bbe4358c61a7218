//! What tells the revisions apart: their events.
//!
//! The registers are the same, so one driver, generic over the [`Revision`], serves both. Most code
//! names its revision once and for all: [`cci400::Pmu`](crate::Pmu) is revision 1,
//! [`cci400::r0::Pmu`](crate::r0::Pmu) revision 0.

use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::ops::RangeInclusive;
use core::str::FromStr;

use arm_pmu_core::event::{InvalidSelection, UnknownId};

use crate::generated::{r0, r1};

pub use crate::pmu::Pmu;
pub use crate::running::Running;

/// A revision of the CCI-400: [`R0`] or [`R1`]. Nobody else can implement this.
pub trait Revision: sealed::Sealed + Copy + Debug + 'static {
    /// What one event counter is told to count.
    type Selection: Copy
        + Debug
        + Display
        + Eq
        + Hash
        + FromStr<Err = InvalidSelection>
        + TryFrom<u16, Error = UnknownId>;
    /// The revision codes of its parts, as PID2 has them.
    const CODES: RangeInclusive<u8>;
    /// The numbers of source and event that select this.
    fn source_and_code(selection: Self::Selection) -> (u8, u8);
}

/// r0p0 to r0p4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum R0 {}

/// r1p0 to r1p5, and what may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum R1 {}

impl Revision for R0 {
    type Selection = r0::events::Selection;
    const CODES: RangeInclusive<u8> = 0..=4;

    #[inline(always)]
    fn source_and_code(selection: Self::Selection) -> (u8, u8) {
        (selection.source_id(), selection.code())
    }
}

impl Revision for R1 {
    type Selection = r1::events::Selection;
    const CODES: RangeInclusive<u8> = 5..=0xF;

    #[inline(always)]
    fn source_and_code(selection: Self::Selection) -> (u8, u8) {
        (selection.source_id(), selection.code())
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::R0 {}
    impl Sealed for super::R1 {}
}
