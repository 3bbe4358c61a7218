//! The drivers behind the traits that all drivers implement.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{AssignError, CycleCounter, Monitor, StartStop};

use crate::registers::{Page0, Page1};
use crate::{COUNTERS, Component, Pmu, Running};

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Monitor for Pmu<C, P0, P1> {
    type Selection = C::Selection;

    const COUNTERS: usize = COUNTERS;

    const CLOCK: Option<Self::Selection> = Some(<Self as CycleCounter>::CYCLES);

    /// Does not change the [filter](Pmu::filter_streams).
    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError> {
        self.driver.assign(what)
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.driver.run(work)
    }

    fn count(&mut self, nth: usize) -> Count {
        self.driver.count_of_selection(nth)
    }
}

/// Counts the cycles of the unit's clock on one of the four counters.
///
/// The clock may be gated while the unit is idle.
impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> CycleCounter for Pmu<C, P0, P1> {
    const CYCLES: Self::Selection = C::CYCLES;
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> StartStop for Pmu<C, P0, P1> {
    type Running = Running<C, P0, P1>;

    fn start(self) -> Self::Running {
        self.start()
    }

    fn stop(running: Self::Running) -> Self {
        running.stop()
    }
}
