//! The revisions of the CCI-400, which differ in their events.
//!
//! The registers are the same in both revisions, so one driver serves both; it is generic over the
//! [`Revision`]. Most code needs only one revision: [`cci400::Pmu`](crate::Pmu) is revision 1, and
//! [`cci400::r0::Pmu`](crate::r0::Pmu) is revision 0.
//!
//! [Example](crate::probe())

use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::ops::RangeInclusive;
use core::str::FromStr;

use arm_pmu_core::event::{InvalidSelection, UnknownId};

use crate::generated::{r0, r1};

pub use crate::generated::running::Running;
pub use crate::pmu::Pmu;

/// A revision of the CCI-400: [`R0`] or [`R1`]. This trait is sealed.
pub trait Revision: sealed::Sealed + Copy + Debug + 'static {
    /// Selection of one event counter.
    type Selection: Copy
        + Debug
        + Display
        + Eq
        + Hash
        + FromStr<Err = InvalidSelection>
        + TryFrom<u16, Error = UnknownId>;
    /// Revision codes of this revision in PID2.
    const CODES: RangeInclusive<u8>;
    /// Returns the numbers of source and event for the event select register.
    fn source_and_code(selection: Self::Selection) -> (u8, u8);
}

/// r0p0 to r0p4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum R0 {}

/// Revision 1: r1p0 to r1p5, and later codes.
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
