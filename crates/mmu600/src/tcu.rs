//! The PMU of the Translation Control Unit.

use arm_pmu_core::bus::{Bus, IntoPages, Mmio};
use arm_pmu_core::driver::ProbeError;

use crate::Tcu;
pub use crate::generated::tcu::events::{Selection, TcuEvent};
pub use crate::generated::tcu::{events, metrics};
use crate::registers::{self, tcu};

/// The PMU of the TCU, stopped.
pub type Pmu<P0 = Page0, P1 = Page1> = crate::Pmu<Tcu, P0, P1>;

/// The PMU of the TCU, counting.
pub type Running<P0 = Page0, P1 = Page1> = crate::Running<Tcu, P0, P1>;

/// One counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// All registers of the Translation Control Unit: [`LENGTH`](crate::registers::tcu::LENGTH) bytes from its base.
///
/// Its base is that of the MMU-600. The registers of the SMMU itself lie in it, around the two pages
/// of the PMU: who does not own those makes a [`Page0`] and a [`Page1`] alone.
pub type Region = Mmio<tcu::Region>;

/// The registers on page 0, at [`PAGE0`](crate::registers::tcu::PAGE0) from the base of the unit.
///
/// ```no_run
/// use mmu600::{registers, tcu};
///
/// # fn map(address: usize) -> usize { address }
/// # let base = 0x1000_0000;
/// let (page0, page1) = (map(base + registers::tcu::PAGE0), map(base + registers::tcu::PAGE1));
/// // SAFETY: 4 KB each, mapped as device memory, used by nobody else.
/// let (page0, page1) = unsafe { (tcu::Page0::new(page0), tcu::Page1::new(page1)) };
/// let pmu = tcu::Pmu::probe(page0, page1)?;
/// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
/// ```
pub type Page0 = Mmio<registers::Page0>;

/// The registers on page 1, at [`PAGE1`](crate::registers::tcu::PAGE1) from the base of the unit. See
/// [`Page0`].
pub type Page1 = Mmio<registers::Page1>;

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
    /// use mmu600::tcu;
    ///
    /// # let base = 0x1000_0000;
    /// // SAFETY: the registers of the unit, mapped as device memory, used by nobody else.
    /// let region = unsafe { tcu::Region::new(base) };
    /// let pmu = tcu::Pmu::probe_at(region)?;
    /// # Ok::<(), mmu600::arm_pmu_core::driver::ProbeErrorKind>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`probe`](crate::Pmu::probe).
    pub fn probe_at<R>(region: R) -> Result<Self, ProbeError<(P0, P1)>>
    where
        R: IntoPages<Space = tcu::Region, Page0 = P0, Page1 = P1>,
    {
        let (page0, page1) = region.into_pages();
        Self::probe(page0, page1)
    }
}
