//! The driver behind the traits that all drivers implement.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{AssignError, CycleCounter, Monitor, StartStop};

use crate::COUNTERS;
use crate::registers::Space;
use crate::revision::{Pmu, Revision, Running};

impl<R: Revision, B: Bus<Space = Space>> Monitor for Pmu<R, B> {
    type Selection = EventOrCycles<R::Selection>;

    /// Four event counters and the cycle counter.
    const COUNTERS: usize = COUNTERS + 1;

    const CLOCK: Option<Self::Selection> = Some(<Self as CycleCounter>::CYCLES);

    fn assign(&mut self, what: &[Self::Selection]) -> Result<(), AssignError> {
        self.driver.assign(what)
    }

    fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        self.driver.run(work)
    }

    fn count(&mut self, nth: usize) -> Count {
        self.driver.count_of_selection(nth)
    }
}

/// Counts every cycle of the CCI-400's clock.
///
/// [`Pmu::cycle_counter`] can select every 64th cycle instead, until the next
/// [`assign`](Monitor::assign).
impl<R: Revision, B: Bus<Space = Space>> CycleCounter for Pmu<R, B> {
    const CYCLES: Self::Selection = EventOrCycles::Cycles;
}

impl<R: Revision, B: Bus<Space = Space>> StartStop for Pmu<R, B> {
    type Running = Running<R, B>;

    fn start(self) -> Self::Running {
        self.start()
    }

    fn stop(running: Self::Running) -> Self {
        running.stop()
    }
}
