//! The PMU of the Translation Control Unit.

use arm_pmu_core::bus::{Bus, IntoPages, Mmio};
use arm_pmu_core::driver::ProbeError;

use crate::Tcu;
pub use crate::generated::tcu::events::{Selection, TcuEvent};
pub use crate::generated::tcu::{events, metrics};
use crate::registers::{self, tcu};

/// The stopped PMU of the TCU.
pub type Pmu<P0 = Page0, P1 = Page1> = crate::Pmu<Tcu, P0, P1>;

/// The running PMU of the TCU.
pub type Running<P0 = Page0, P1 = Page1> = crate::Running<Tcu, P0, P1>;

/// One counter, to select what it counts.
///
/// Returned by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// All registers of the Translation Control Unit (TCU).
///
/// They take [`LENGTH`](crate::registers::tcu::LENGTH) bytes from its base.
///
/// The base of the TCU is that of the MMU-600. The region includes the registers of the SMMU
/// itself, around the two pages of the PMU. A driver that does not own the SMMU's registers uses a
/// [`Page0`] and a [`Page1`] instead.
pub type Region = Mmio<tcu::Region>;

/// The registers on page 0.
///
/// The page is at [`PAGE0`](crate::registers::tcu::PAGE0) from the base of the unit.
///
/// ```no_run
/// use mmu600::{registers, tcu};
///
/// # fn map(address: usize) -> usize { address }
/// # let base = 0x1000_0000;
/// let (page0, page1) = (map(base + registers::tcu::PAGE0), map(base + registers::tcu::PAGE1));
/// // SAFETY: 4 KB each, mapped as device memory, with no other user.
/// let (page0, page1) = unsafe { (tcu::Page0::new(page0), tcu::Page1::new(page1)) };
/// let pmu = tcu::Pmu::probe(page0, page1)?;
/// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
/// ```
pub type Page0 = Mmio<registers::Page0>;

/// The registers on page 1.
///
/// The page is at [`PAGE1`](crate::registers::tcu::PAGE1) from the base of the unit. See [`Page0`].
pub type Page1 = Mmio<registers::Page1>;

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
    /// use mmu600::tcu;
    ///
    /// # let base = 0x1000_0000;
    /// // SAFETY: the registers of the unit, mapped as device memory, with no other user.
    /// let region = unsafe { tcu::Region::new(base) };
    /// let pmu = tcu::Pmu::probe_at(region)?;
    /// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`probe`](crate::Pmu::probe).
    pub fn probe_at<R>(region: R) -> Result<Self, ProbeError<(P0, P1)>>
    where
        R: IntoPages<Space = tcu::Region, Page0 = P0, Page1 = P1>,
    {
        let (page0, page1) = region.into_pages();
        Self::probe(page0, page1)
    }
}
