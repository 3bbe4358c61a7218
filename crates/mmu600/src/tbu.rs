//! The PMU of a Translation Buffer Unit.

use arm_pmu_core::bus::{Bus, IntoPages, Mmio};
use arm_pmu_core::driver::ProbeError;

use crate::Tbu;
pub use crate::generated::tbu::events::{Selection, TbuEvent};
pub use crate::generated::tbu::{events, metrics};
use crate::registers::{self, tbu};

/// The PMU of one TBU, stopped.
pub type Pmu<P0 = Page0, P1 = Page1> = crate::Pmu<Tbu, P0, P1>;

/// The PMU of one TBU, counting.
pub type Running<P0 = Page0, P1 = Page1> = crate::Running<Tbu, P0, P1>;

/// One counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// All registers of a Translation Buffer Unit: [`LENGTH`](crate::registers::tbu::LENGTH) bytes from its base.
///
/// [`offset_from_tcu`] says where its base is.
pub type Region = Mmio<tbu::Region>;

/// The registers on page 0, at [`PAGE0`](crate::registers::tbu::PAGE0) from the base of the unit.
///
/// ```no_run
/// use mmu600::{registers, tbu};
///
/// # fn map(address: usize) -> usize { address }
/// # let base = 0x1000_0000;
/// let (page0, page1) = (map(base + registers::tbu::PAGE0), map(base + registers::tbu::PAGE1));
/// // SAFETY: 4 KB each, mapped as device memory, used by nobody else.
/// let (page0, page1) = unsafe { (tbu::Page0::new(page0), tbu::Page1::new(page1)) };
/// let pmu = tbu::Pmu::probe(page0, page1)?;
/// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
/// ```
pub type Page0 = Mmio<registers::Page0>;

/// The registers on page 1, at [`PAGE1`](crate::registers::tbu::PAGE1) from the base of the unit. See
/// [`Page0`].
pub type Page1 = Mmio<registers::Page1>;

/// The most TBUs that an MMU-600 has: 62 (confidence D; no document at hand gives it).
pub const MOST_TBUS: usize = 62;

/// The offset in bytes of TBU `n` from the base of the TCU, which is that of the MMU-600: 0x40000 + `n` *
/// 0x20000. `None` if `n` is not less than [`MOST_TBUS`].
///
/// The two pages of its PMU are [`PAGE0`](crate::registers::tbu::PAGE0) and
/// [`PAGE1`](crate::registers::tbu::PAGE1) further. A system need not build all TBUs up to the highest
/// number; [`probe_at`](Pmu::probe_at) finds out whether one is there.
///
/// Confidence B: Arm's firmware for the N1SDP and the device tree of Agilex 5 have TBUs 0 and 1, or 0 to 5,
/// there. The Altra has gaps, at offsets of the same form.
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

/// The two pages of a region.
#[must_use]
pub const fn pages(region: Region) -> (Page0, Page1) {
    region.into_pages()
}

impl Pmu {
    /// Takes over the PMU of the unit whose registers these are: [`new`](crate::Pmu::new) with the two
    /// [`pages`] of the region. It trusts that they are; [`probe`](crate::Pmu::probe) looks.
    #[must_use]
    #[inline(always)]
    pub const fn at(region: Region) -> Self {
        let (page0, page1) = pages(region);
        Self::new(page0, page1)
    }
}

impl<P0: Bus<Space = registers::Page0>, P1: Bus<Space = registers::Page1>> Pmu<P0, P1> {
    /// Takes over the PMU of the unit whose registers these are, if its registers say that it is one:
    /// [`probe`](crate::Pmu::probe) with the two pages of the region. Page 1 cannot be that of another unit
    /// then.
    ///
    /// ```no_run
    /// use mmu600::tbu;
    ///
    /// # let base = 0x1000_0000;
    /// // SAFETY: the registers of the unit, mapped as device memory, used by nobody else.
    /// let region = unsafe { tbu::Region::new(base) };
    /// let pmu = tbu::Pmu::probe_at(region)?;
    /// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`probe`](crate::Pmu::probe).
    pub fn probe_at<R>(region: R) -> Result<Self, ProbeError<(P0, P1)>>
    where
        R: IntoPages<Space = tbu::Region, Page0 = P0, Page1 = P1>,
    {
        let (page0, page1) = region.into_pages();
        Self::probe(page0, page1)
    }
}
