//! The PMU of a Translation Buffer Unit.

use arm_pmu_core::bus::{Bus, IntoPages, Mmio};
use arm_pmu_core::driver::ProbeError;

use crate::Tbu;
pub use crate::generated::tbu::events::{Selection, TbuEvent};
pub use crate::generated::tbu::{events, metrics};
use crate::registers::{self, tbu};

/// The stopped PMU of one TBU.
pub type Pmu<P0 = Page0, P1 = Page1> = crate::Pmu<Tbu, P0, P1>;

/// The running PMU of one TBU.
pub type Running<P0 = Page0, P1 = Page1> = crate::Running<Tbu, P0, P1>;

/// One counter, to select what it counts.
///
/// Returned by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// All registers of a Translation Buffer Unit (TBU).
///
/// They take [`LENGTH`](crate::registers::tbu::LENGTH) bytes from its base.
///
/// [`offset_from_tcu`] returns the offset of this base from that of the TCU.
pub type Region = Mmio<tbu::Region>;

/// The registers on page 0.
///
/// The page is at [`PAGE0`](crate::registers::tbu::PAGE0) from the base of the unit.
///
/// ```no_run
/// use mmu600::{registers, tbu};
///
/// # fn map(address: usize) -> usize { address }
/// # let base = 0x1000_0000;
/// let (page0, page1) = (map(base + registers::tbu::PAGE0), map(base + registers::tbu::PAGE1));
/// // SAFETY: 4 KB each, mapped as device memory, with no other user.
/// let (page0, page1) = unsafe { (tbu::Page0::new(page0), tbu::Page1::new(page1)) };
/// let pmu = tbu::Pmu::probe(page0, page1)?;
/// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
/// ```
pub type Page0 = Mmio<registers::Page0>;

/// The registers on page 1.
///
/// The page is at [`PAGE1`](crate::registers::tbu::PAGE1) from the base of the unit. See [`Page0`].
pub type Page1 = Mmio<registers::Page1>;

/// Largest number of TBUs of an MMU-600: 62.
///
/// Confidence D: no document at hand gives this number.
pub const MOST_TBUS: usize = 62;

/// Returns the offset in bytes of TBU `n` from the base of the TCU.
///
/// The offset is 0x40000 + `n` * 0x20000. The base of the TCU is that of the MMU-600. Returns
/// `None` if `n` is not less than [`MOST_TBUS`].
///
/// The two pages of its PMU are at offsets [`PAGE0`](crate::registers::tbu::PAGE0) and
/// [`PAGE1`](crate::registers::tbu::PAGE1) from the base of the TBU. A system need not have all
/// TBUs up to the highest number. [`probe_at`](Pmu::probe_at) checks that a TBU is there.
///
/// Confidence B: Arm's firmware for the N1SDP has TBUs 0 and 1 at these offsets, and the device
/// tree of Agilex 5 has TBUs 0 to 5. The Altra has some of the offsets of this form, with gaps.
///
/// ```
/// use mmu600::tbu;
///
/// let tcu = 0x1600_0000; // Agilex 5
/// assert_eq!(tbu::offset_from_tcu(5).map(|offset| tcu + offset), Some(0x160E_0000));
/// assert_eq!(tbu::offset_from_tcu(62), None);
/// ```
#[must_use]
pub const fn offset_from_tcu(n: usize) -> Option<usize> {
    if n < MOST_TBUS { Some(0x4_0000 + n * 0x2_0000) } else { None }
}

/// Returns the two pages of the PMU in a region.
#[must_use]
pub const fn pages(region: Region) -> (Page0, Page1) {
    region.into_pages()
}

impl Pmu {
    /// Takes over the PMU of the unit at this region without a check.
    ///
    /// It calls [`new`](crate::Pmu::new) with the two pages of the region.
    /// [`probe_at`](Self::probe_at) checks the identification registers first.
    #[must_use]
    #[inline(always)]
    pub const fn at(region: Region) -> Self {
        let (page0, page1) = pages(region);
        Self::new(page0, page1)
    }
}

impl<P0: Bus<Space = registers::Page0>, P1: Bus<Space = registers::Page1>> Pmu<P0, P1> {
    /// Takes over the PMU of the unit at this region if its identification fits.
    ///
    /// It calls [`probe`](crate::Pmu::probe) with the two pages of the region. So both pages are of
    /// the same unit.
    ///
    /// ```no_run
    /// use mmu600::tbu;
    ///
    /// # let base = 0x1000_0000;
    /// // SAFETY: the registers of the unit, mapped as device memory, with no other user.
    /// let region = unsafe { tbu::Region::new(base) };
    /// let pmu = tbu::Pmu::probe_at(region)?;
    /// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`probe`](crate::Pmu::probe).
    pub fn probe_at<R>(region: R) -> Result<Self, ProbeError<(P0, P1)>>
    where
        R: IntoPages<Space = tbu::Region, Page0 = P0, Page1 = P1>,
    {
        let (page0, page1) = region.into_pages();
        Self::probe(page0, page1)
    }
}
