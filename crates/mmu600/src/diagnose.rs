//! Diagnosis of a counter that reads zero. Its texts are in `specs/mmu600/findings.yaml`.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::diagnose::{Diagnose, Diagnosis};

use crate::registers::{Page0, Page1};
use crate::{Component, Finding, Pmu};

/// Diagnoses with the clock, with selections of the driver, and with its filter.
///
/// At most three selections are tried, with the filter and without.
///
/// It calls `work` once. With a filter, it calls `work` again without the filter. If only that run
/// counts something, it calls `work` a third time with the filter. It attributes the difference to
/// the filter only if both runs with the filter count nothing.
///
/// Afterwards it restores all writable registers, even if `work` panics and unwinds. It touches
/// neither SCR nor overflow flags. The trials set no flag, because their counters start from 0.
/// Meanwhile the interrupt is switched on or off as a whole, but no counter can raise it. If
/// IRQ_CTRLACK does not follow, the diagnosis does not wait for it after the restore.
///
/// It reads page 1 before it writes there. If the contents cannot be those of page 1, it writes
/// nothing. If the first word does not hold the written value, it restores that word and writes no
/// other. It cannot tell page 1 of another unit, or memory that looks like it, from page 1 of this
/// unit. Then it writes four words, finds that they do not count, and restores them. Meanwhile the
/// counters of this unit, which it cannot reach, may continue.
impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Diagnose for Pmu<C, P0, P1> {
    type Finding = Finding;

    fn diagnose_with(
        &mut self,
        expected: Option<C::Selection>,
        work: impl FnMut(),
    ) -> Diagnosis<Finding> {
        smmuv3_pmcg::diagnose(&mut self.driver, expected, work)
    }
}
