//! The driver behind the traits that all drivers implement.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{AssignError, Monitor, StartStop};

use crate::registers::Space;
use crate::events::COUNTERS;
use crate::{Pmu, Running, Selection};

impl<B: Bus<Space = Space>> Monitor for Pmu<B> {
    type Selection = Selection;

    const COUNTERS: usize = COUNTERS;

    fn assign(&mut self, what: &[Selection]) -> Result<(), AssignError> {
        self.driver.assign(what)
    }

    fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        self.driver.run(work)
    }

    fn count(&mut self, nth: usize) -> Count {
        self.driver.count_of_selection(nth)
    }
}

impl<B: Bus<Space = Space>> StartStop for Pmu<B> {
    type Running = Running<B>;

    fn start(self) -> Self::Running {
        self.start()
    }

    fn stop(running: Self::Running) -> Self {
        running.stop()
    }
}
