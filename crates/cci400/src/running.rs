//! The running driver.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::CounterSet;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::COUNTERS;
use crate::registers::Space;
use crate::revision::{Pmu, Revision};

/// The running performance monitoring unit (PMU) of one CCI-400.
///
/// Use it as [`cci400::Running`](crate::Running) or as [`cci400::r0::Running`](crate::r0::Running).
///
/// It has no method that changes a selection. [`stop`](Self::stop) returns the stopped driver. If
/// this value is dropped, the PMU keeps counting and can no longer be read.
#[must_use = "if dropped, the PMU keeps counting and can no longer be read"]
pub struct Running<R: Revision, B> {
    pmu: Pmu<R, B>,
}

/// Overflow flags that were set when they were cleared.
///
/// [`acknowledge`](Running::acknowledge) returns them.
pub type Overflows = CounterSet<COUNTERS>;

impl<R: Revision, B: Bus<Space = Space>> Running<R, B> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<R, B>) -> Self {
        Self { pmu }
    }

    /// Reads the event counters while they keep counting.
    ///
    /// The counters are read one after another: an event during the reading may be in a later count
    /// but not in an earlier one. [`Count::since`] returns the difference between two readings.
    /// This method detects that the PMU as a whole was disabled. Only [`stop`](Self::stop) detects
    /// that other software reprogrammed a counter.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// Reads the cycle counter while it keeps counting.
    #[must_use]
    pub fn cycles(&self) -> Count {
        self.pmu.driver.read_cycles()
    }

    /// Reads the counters, and returns the counts with their selections.
    ///
    /// The snapshot prints as a table. It reads the counters as [`counts`](Self::counts) and
    /// [`cycles`](Self::cycles) do.
    pub fn snapshot(&self) -> CountSnapshot<EventOrCycles<R::Selection>, { COUNTERS + 1 }> {
        CountSnapshot::of(self)
    }

    /// Clears the overflow flags, and with them the interrupts.
    ///
    /// Returns which flags were set. The counts of these counters stay
    /// [`overflowed`](Count::overflowed).
    pub fn acknowledge(&mut self) -> Overflows {
        Overflows::from_word(self.pmu.driver.acknowledge())
    }

    /// Stops all counters by one register write, and reads their counts.
    ///
    /// The write takes effect after the measured code has finished. `stop` also acknowledges
    /// overflows, and compares the device with the programmed settings: see [`Pmu::interference`].
    #[inline(always)]
    pub fn stop(mut self) -> Pmu<R, B> {
        self.pmu.driver.stop();
        self.pmu
    }
}

/// Numbers the event counters first, then the cycle counter.
impl<R: Revision, B: Bus<Space = Space>> RunningMonitor for Running<R, B> {
    type Selection = EventOrCycles<R::Selection>;

    const COUNTERS: usize = COUNTERS + 1;

    const SKEW: Option<u32> = Some(13);

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

impl<R: Revision, B: Bus<Space = Space>> Rearm for Running<R, B> {
    fn rearm(&mut self, counter: usize, events: NonZeroU32) {
        self.pmu.driver.rearm(counter, events.get().wrapping_neg());
    }
}

impl<R: Revision, B> fmt::Debug for Running<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Running").field(&self.pmu).finish()
    }
}
