//! The driver while it counts.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::{COUNTERS, Core, Counters, Pmu, Space};

/// The performance monitoring unit of an ARM11 core, counting.
///
/// What is counted cannot be changed meanwhile: there is no method for it. If this value is dropped
/// the PMU counts on, and nobody can read it; [`stop`](Self::stop) gives the driver back.
#[must_use = "if this is dropped the PMU counts on, and nobody can read it"]
pub struct Running<C: Core, B> {
    pmu: Pmu<C, B>,
}

impl<C: Core, B: Bus<Space = Space>> Running<C, B> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<C, B>) -> Self {
        Self { pmu }
    }

    /// What the event counters hold at this moment; they count on.
    ///
    /// The counters are read one after another: an event that happens during the reading may be in
    /// one count and not yet in the one before. [`Count::since`] gives what happened between two
    /// readings. Whether a counter was reprogrammed by somebody else is found out when the PMU is
    /// stopped; that it is off altogether, here too.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// What the cycle counter holds at this moment; it counts on.
    #[must_use]
    pub fn cycles(&self) -> Count {
        self.pmu.driver.read_cycles()
    }

    /// The counts at this moment with their selections; the counters count on. It prints as a table.
    ///
    /// The counters are read as by [`counts`](Self::counts) and [`cycles`](Self::cycles).
    pub fn snapshot(&self) -> CountSnapshot<EventOrCycles<C::Selection>, { COUNTERS + 1 }> {
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
    pub fn stop(mut self) -> Pmu<C, B> {
        self.pmu.driver.stop();
        self.pmu
    }
}

/// The event counters, then the cycle counter.
impl<C: Core, B: Bus<Space = Space>> RunningMonitor for Running<C, B> {
    type Selection = EventOrCycles<C::Selection>;

    const COUNTERS: usize = COUNTERS + 1;

    const SKEW: Option<u32> = Some(9);

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

impl<C: Core, B: Bus<Space = Space>> Rearm for Running<C, B> {
    fn rearm(&mut self, counter: usize, events: NonZeroU32) {
        self.pmu.driver.rearm(counter, events.get().wrapping_neg());
    }
}

impl<C: Core, B> fmt::Debug for Running<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Running").field(&self.pmu).finish()
    }
}
