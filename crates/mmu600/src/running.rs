//! The driver while it counts.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::CounterSet;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::registers::{Page0, Page1};
use crate::{COUNTERS, Component, Pmu};

/// The performance monitoring unit of a TCU or of a TBU, counting.
///
/// What is counted cannot be changed meanwhile: there is no method for it. If this value is dropped
/// the PMU counts on, and nobody can read it; [`stop`](Self::stop) gives the driver back.
#[must_use = "if this is dropped the PMU counts on, and nobody can read it"]
pub struct Running<C: Component, P0, P1> {
    pmu: Pmu<C, P0, P1>,
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Running<C, P0, P1> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<C, P0, P1>) -> Self {
        Self { pmu }
    }

    /// What the counters hold at this moment; they count on.
    ///
    /// The counters are read one after another: an event that happens during the reading may be in
    /// one count and not yet in the one before. [`capture`](Self::capture) has no such skew.
    /// [`Count::since`] gives what happened between two readings. Whether a counter was reprogrammed by
    /// somebody else is found out when the PMU is stopped; that it is off altogether, or was not set at
    /// the start as it should be, here too.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// The counts at this moment with their selections; the counters count on. It prints as a table.
    ///
    /// The counters are read as by [`counts`](Self::counts).
    pub fn snapshot(&self) -> CountSnapshot<C::Selection, COUNTERS> {
        CountSnapshot::of(self)
    }

    /// What all four counters hold at one instant; they count on.
    ///
    /// The hardware copies them to shadow registers at once, over what the input pmusnapshot_req may
    /// have captured before. If that comes up while the copies are read, some are of one instant and
    /// some of the other.
    pub fn capture(&mut self) -> [Count; COUNTERS] {
        let in_use = self.pmu.driver.in_use();
        let (flags, shadows) = self.pmu.driver.hardware_mut().capture(in_use);
        self.pmu.driver.counts_of(flags, shadows)
    }

    /// The shadow registers: the counters as the last capture found them. Besides
    /// [`capture`](Self::capture), a rising edge of the input pmusnapshot_req captures, for a system that
    /// captures many units at once, and so does an [overflow](Pmu::capture_on_overflow).
    ///
    /// They are the counters' own values, modulo 2^32 and with the value that a counter started from,
    /// and unknown before the first capture. `None` for a counter that is not in use. Nothing is held
    /// against them: neither an overflow nor a loss, nor an access that failed, shows here.
    #[must_use]
    pub fn captured(&self) -> [Option<u32>; COUNTERS] {
        self.pmu.driver.hardware().captured(self.pmu.driver.in_use())
    }

    /// Clears the overflow flags of the counters in use that are up, and tells which they were.
    ///
    /// The driver remembers: the counts of these counters stay [`overflowed`](Count::overflowed).
    /// The interrupt is an edge, so nothing has to be silenced.
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        CounterSet::from_bits(self.pmu.driver.acknowledge(), false).counters
    }

    /// Stops all counters by one write, after the measured code is done, and takes their counts.
    ///
    /// It also acknowledges overflows, and compares the setting with what was set: see
    /// [`Pmu::interference`].
    #[inline(always)]
    pub fn stop(mut self) -> Pmu<C, P0, P1> {
        self.pmu.driver.stop();
        self.pmu
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> RunningMonitor
    for Running<C, P0, P1>
{
    type Selection = C::Selection;

    const COUNTERS: usize = COUNTERS;

    /// The hardware [captures](Running::capture) all counters at once.
    const SKEW: Option<u32> = Some(0);

    fn take_overflows(&mut self) -> u32 {
        self.pmu.driver.acknowledge()
    }

    fn acknowledged(&self) -> u32 {
        self.pmu.driver.overflowed()
    }

    fn read(&self, counts: &mut [Count]) {
        self.pmu.driver.read_into(counts);
    }

    fn read_at_once(&mut self, counts: &mut [Count]) {
        let mut all = self.capture().into_iter();
        counts.fill_with(|| all.next().unwrap_or(Count::NOT_COUNTED));
    }

    fn selection(&self, counter: usize) -> Option<Self::Selection> {
        self.pmu.driver.selection(counter)
    }

    fn started_from(&self, counter: usize) -> u32 {
        self.pmu.driver.started_from(counter)
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Rearm for Running<C, P0, P1> {
    fn rearm(&mut self, counter: usize, events: NonZeroU32) {
        self.pmu.driver.rearm(counter, events.get().wrapping_neg());
    }
}

impl<C: Component, P0, P1> fmt::Debug for Running<C, P0, P1> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Running").field(&self.pmu).finish()
    }
}
