//! The driver while it counts.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::events::COUNTERS;
use crate::{Counters, Mode, Pmu, Privileged, Selection, Space, User};

/// The performance monitoring unit of a Cortex-A8, counting.
///
/// What is counted cannot be changed meanwhile: there is no method for it. If this value is dropped
/// the PMU counts on, and nobody can read it; [`stop`](Self::stop) gives the driver back.
#[must_use = "if this is dropped the PMU counts on, and nobody can read it"]
pub struct Running<B, M: Mode = Privileged> {
    pmu: Pmu<B, M>,
}

/// The [`Running`] PMU of software in User mode.
pub type UserRunning<B> = Running<B, User>;

impl<B: Bus<Space = Space>, M: Mode> Running<B, M> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<B, M>) -> Self {
        Self { pmu }
    }

    /// What the event counters have counted at this moment; they count on.
    ///
    /// The counters are read one after another: an event that happens during the reading may be in
    /// one count and not yet in the one before. [`Count::since`] gives what happened between two
    /// readings. Whether a counter was reprogrammed by somebody else is found out when the PMU is
    /// stopped; that it is off altogether, or that the selector was moved meanwhile, here too.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// What the cycle counter has counted at this moment; it counts on.
    #[must_use]
    pub fn cycles(&self) -> Count {
        self.pmu.driver.read_cycles()
    }

    /// Adds one to each counter that counts `CortexA8Event::SoftwareIncrement`.
    pub fn increment(&mut self) {
        self.pmu.increment_by_software();
    }

    /// The counts at this moment with their selections; the counters count on. It prints as a table.
    ///
    /// The counters are read as by [`counts`](Self::counts) and [`cycles`](Self::cycles).
    pub fn snapshot(&self) -> CountSnapshot<EventOrCycles<Selection>, ALL> {
        CountSnapshot::of(self)
    }

    /// Clears the overflow flags of the counters in use that are up, and with them the interrupt, and
    /// tells which they were.
    ///
    /// The driver remembers: the counts of these counters stay [`overflowed`](Count::overflowed).
    pub fn acknowledge(&mut self) -> Counters {
        Counters::from_word(self.pmu.driver.acknowledge())
    }

    /// Stops all counters by one write, after the measured code is done, and takes their counts.
    ///
    /// It also acknowledges overflows, and compares the setting with what was set: see
    /// [`Pmu::interference`].
    #[inline(always)]
    pub fn stop(mut self) -> Pmu<B, M> {
        self.pmu.driver.stop();
        self.pmu
    }
}

/// The event counters and the cycle counter.
pub(crate) const ALL: usize = COUNTERS + 1;

/// The event counters, then the cycle counter.
impl<B: Bus<Space = Space>, M: Mode> RunningMonitor for Running<B, M> {
    type Selection = EventOrCycles<Selection>;

    const COUNTERS: usize = ALL;

    const SKEW: Option<u32> = Some(19);

    fn take_overflows(&mut self) -> u32 {
        self.acknowledge().numbered()
    }

    fn acknowledged(&self) -> u32 {
        self.pmu.driver.overflowed()
    }

    fn read(&self, counts: &mut [Count]) {
        self.pmu.driver.read_into(counts);
    }

    fn selection(&self, counter: usize) -> Option<Self::Selection> {
        self.pmu.driver.selection(counter)
    }

    fn counter_of(&self, nth: usize) -> usize {
        self.pmu.driver.counter_of(nth)
    }

    fn started_from(&self, counter: usize) -> u32 {
        self.pmu.driver.started_from(counter)
    }
}

impl<B: Bus<Space = Space>, M: Mode> Rearm for Running<B, M> {
    fn rearm(&mut self, counter: usize, events: NonZeroU32) {
        self.pmu.driver.rearm(counter, events.get().wrapping_neg());
    }
}

impl<B, M: Mode> fmt::Debug for Running<B, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Running").field(&self.pmu).finish()
    }
}
