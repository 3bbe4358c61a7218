//! The driver while it counts.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::{Bus, Count, CountSnapshot, CounterSet, Rearm, RunningMonitor};

use crate::registers::Space;
use crate::{COUNTERS, Pmu, Selection};

/// The performance monitoring unit of one CCI-550, counting.
///
/// What is counted cannot be changed meanwhile: there is no method for it. If this value is dropped
/// the PMU counts on, and nobody can read it; [`stop`](Self::stop) gives the driver back.
#[must_use = "if this is dropped the PMU counts on, and nobody can read it"]
pub struct Running<B> {
    pmu: Pmu<B>,
}

impl<B: Bus<Space = Space>> Running<B> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<B>) -> Self {
        Self { pmu }
    }

    /// What the counters hold at this moment; they count on.
    ///
    /// The counters are read one after another: an event that happens during the reading may be in
    /// one count and not yet in the one before. [`Count::since`] gives what happened between two
    /// readings. Whether a counter was reprogrammed by somebody else is found out when the PMU is
    /// stopped; that it is off altogether, here too.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// The counts at this moment with their selections; the counters count on. It prints as a table.
    ///
    /// The counters are read as by [`counts`](Self::counts).
    pub fn snapshot(&self) -> CountSnapshot<Selection, COUNTERS> {
        CountSnapshot::of(self)
    }

    /// Clears the overflow flags that are up, and with them the interrupts, and tells which they
    /// were.
    ///
    /// The driver remembers: the counts of these counters stay [`overflowed`](Count::overflowed).
    ///
    /// A flag that is up again after it was cleared is cleared once more while all counters are disabled, as
    /// some devices may need it. All counts are [`CountError::Disturbed`](crate::CountError::Disturbed) then, also if the
    /// reason was that the counter overflowed once more during this call.
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        CounterSet::from_bits(self.pmu.driver.acknowledge(), false).counters
    }

    /// Stops all counters by one write, after the measured code is done, and takes their counts.
    ///
    /// It also acknowledges overflows, and compares the setting with what was set: see
    /// [`Pmu::interference`].
    #[inline(always)]
    pub fn stop(mut self) -> Pmu<B> {
        self.pmu.driver.stop();
        self.pmu
    }
}

impl<B: Bus<Space = Space>> RunningMonitor for Running<B> {
    type Selection = Selection;

    const COUNTERS: usize = COUNTERS;

    const SKEW: Option<u32> = Some(21);

    fn take_overflows(&mut self) -> u32 {
        self.pmu.driver.acknowledge()
    }

    fn acknowledged(&self) -> u32 {
        self.pmu.driver.overflowed()
    }

    fn read(&self, counts: &mut [Count]) {
        let mut all = self.counts().into_iter();
        counts.fill_with(|| all.next().unwrap_or(Count::NOT_COUNTED));
    }

    fn selection(&self, counter: usize) -> Option<Self::Selection> {
        self.pmu.driver.selection(counter)
    }

    fn started_from(&self, counter: usize) -> u32 {
        self.pmu.driver.started_from(counter)
    }
}

impl<B: Bus<Space = Space>> Rearm for Running<B> {
    fn rearm(&mut self, counter: usize, events: NonZeroU32) {
        self.pmu.driver.rearm(counter, events.get().wrapping_neg());
    }
}

impl<B> fmt::Debug for Running<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Running").field(&self.pmu).finish()
    }
}
