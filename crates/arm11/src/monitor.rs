//! The drivers behind the traits that all drivers implement.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{AssignError, CycleCounter, Monitor, StartStop};

use crate::{COUNTERS, Core, Pmu, Running, Space};

impl<C: Core, B: Bus<Space = Space>> Monitor for Pmu<C, B> {
    type Selection = EventOrCycles<C::Selection>;

    /// Two event counters and the cycle counter.
    const COUNTERS: usize = COUNTERS + 1;

    const CLOCK: Option<Self::Selection> = Some(<Self as CycleCounter>::CYCLES);

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

/// Counts every cycle of the core.
///
/// [`Pmu::cycle_counter`] can select every 64th cycle instead, until the next
/// [`assign`](Monitor::assign).
impl<C: Core, B: Bus<Space = Space>> CycleCounter for Pmu<C, B> {
    const CYCLES: Self::Selection = EventOrCycles::Cycles;
}

impl<C: Core, B: Bus<Space = Space>> StartStop for Pmu<C, B> {
    type Running = Running<C, B>;

    fn start(self) -> Self::Running {
        self.start()
    }

    fn stop(running: Self::Running) -> Self {
        running.stop()
    }
}
