//! Identification of the PMU of a unit.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::ProbeError;

use crate::implementation::Implementation;
use crate::registers::{Page0, Page1};
use crate::{COUNTERS, Component, Pmu};

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Takes over the PMU behind these buses if it is that of this unit.
    ///
    /// This reads registers of page 0 and writes none. Page 1 has no identification. If the second
    /// bus leads to no counters, the counts are
    /// [disturbed](arm_pmu_core::count::CountError::Disturbed) from the start on. If it leads to
    /// the counters of another unit, the counts stay 0, and
    /// [`diagnose`](arm_pmu_core::diagnose::Diagnose::diagnose) finds that the clock stands still.
    /// `probe_at` of a [TCU](crate::tcu::Pmu::probe_at) or [TBU](crate::tbu::Pmu::probe_at) takes
    /// one base and excludes that mistake.
    ///
    /// # Errors
    ///
    /// If the identification differs, the error has the buses and the [reason](arm_pmu_core::driver::ProbeErrorKind).
    /// Non-secure software gets [`ProbeErrorKind::ReadsAsZero`](arm_pmu_core::driver::ProbeErrorKind::ReadsAsZero) while SCR.NSRA is 0, and all
    /// software gets it while the unit has no power. Another product is [`ProbeErrorKind::Part`](arm_pmu_core::driver::ProbeErrorKind::Part),
    /// and so is the other unit: 0x483 is a TCU, 0x484 a TBU.
    pub fn probe(page0: P0, page1: P1) -> Result<Self, ProbeError<(P0, P1)>> {
        smmuv3_pmcg::probe::<Implementation<C>, P0, P1>(page0, page1, COUNTERS)
            .map(|(page0, page1)| Self::new(page0, page1))
    }
}
