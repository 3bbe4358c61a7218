//! The running driver.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::CounterSet;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::registers::Space;
use crate::events::COUNTERS;
use crate::{Pmu, Selection};

/// The running performance monitoring unit (PMU) of one SKELETON IP.
///
/// [`stop`](Self::stop) returns the stopped driver. If this value is dropped, the PMU keeps
/// counting and can no longer be read.
#[must_use = "if dropped, the PMU keeps counting and can no longer be read"]
pub struct Running<B> {
    pmu: Pmu<B>,
}

impl<B: Bus<Space = Space>> Running<B> {
    pub(crate) const fn new(pmu: Pmu<B>) -> Self {
        Self { pmu }
    }

    /// Reads the counters while they keep counting.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// Reads the counters, and returns the counts with their selections.
    ///
    /// The snapshot prints as a table. It reads the counters as [`counts`](Self::counts) does.
    pub fn snapshot(&self) -> CountSnapshot<Selection, COUNTERS> {
        CountSnapshot::of(self)
    }

    /// Clears the overflow flags, and with them the interrupts.
    ///
    /// Returns which flags were set. The counts of these counters stay
    /// [`overflowed`](Count::overflowed).
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        CounterSet::from_bits(self.pmu.driver.acknowledge(), false).counters
    }

    /// Stops all counters and reads their counts.
    ///
    /// `stop` also acknowledges overflows, and compares the device with the programmed settings:
    /// see [`Pmu::interference`].
    pub fn stop(mut self) -> Pmu<B> {
        self.pmu.driver.stop();
        self.pmu
    }
}

impl<B: Bus<Space = Space>> RunningMonitor for Running<B> {
    type Selection = Selection;

    const COUNTERS: usize = COUNTERS;

    /// From one value to the next there are three accesses.
    ///
    /// They read the flag again, then the flag of the next counter, then its value.
    const SKEW: Option<u32> = Some(3 * (COUNTERS as u32 - 1));

    fn take_overflows(&mut self) -> u32 {
        self.pmu.driver.acknowledge()
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
