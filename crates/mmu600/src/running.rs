//! The running driver.

use core::fmt;
use core::num::NonZeroU32;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::CounterSet;
use arm_pmu_core::measure::{CountSnapshot, Rearm, RunningMonitor};

use crate::registers::{Page0, Page1};
use crate::{COUNTERS, Component, Pmu};

/// The running performance monitoring unit (PMU) of a TCU or of a TBU.
///
/// It has no method that changes a selection. [`stop`](Self::stop) returns the stopped driver. If
/// this value is dropped, the PMU keeps counting and can no longer be read.
#[must_use = "if dropped, the PMU keeps counting and can no longer be read"]
pub struct Running<C: Component, P0, P1> {
    pmu: Pmu<C, P0, P1>,
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Running<C, P0, P1> {
    #[inline(always)]
    pub(crate) const fn new(pmu: Pmu<C, P0, P1>) -> Self {
        Self { pmu }
    }

    /// Reads the counters while they keep counting.
    ///
    /// The counters are read one after another: an event during the reading may be in a later count
    /// but not in an earlier one. [`capture`](Self::capture) has no such skew. [`Count::since`]
    /// returns the difference between two readings. This method detects that the PMU as a whole was
    /// disabled, and that the start did not program a counter. Only [`stop`](Self::stop) detects
    /// that other software reprogrammed a counter.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        self.pmu.driver.read()
    }

    /// Reads the counters, and returns the counts with their selections.
    ///
    /// The snapshot prints as a table. It reads the counters as [`counts`](Self::counts) does.
    pub fn snapshot(&self) -> CountSnapshot<C::Selection, COUNTERS> {
        CountSnapshot::of(self)
    }

    /// Captures all four counters at one instant while they keep counting.
    ///
    /// The hardware copies them to shadow registers at once. The capture overwrites values that the
    /// input pmusnapshot_req captured before. If that input rises while the driver reads the shadow
    /// registers, some values are from one instant and some from the other.
    pub fn capture(&mut self) -> [Count; COUNTERS] {
        let in_use = self.pmu.driver.in_use();
        let (flags, shadows) = self.pmu.driver.hardware_mut().capture(in_use);
        self.pmu.driver.counts_of(flags, shadows)
    }

    /// Reads the shadow registers, which hold the last captured values.
    ///
    /// Three things capture: [`capture`](Self::capture), an [overflow](Pmu::capture_on_overflow),
    /// and a rising edge of the input pmusnapshot_req, which lets a system capture many units at
    /// once.
    ///
    /// The values are raw counter values, modulo 2^32. They include the value that a counter
    /// started from. Before the first capture they are unknown. A counter that is not in use gives
    /// `None`. Nothing is checked: overflows, interference and bus errors do not show here.
    #[must_use]
    pub fn captured(&self) -> [Option<u32>; COUNTERS] {
        self.pmu.driver.hardware().captured(self.pmu.driver.in_use())
    }

    /// Clears the overflow flags of the counters in use.
    ///
    /// Returns which flags were set. The counts of these counters stay
    /// [`overflowed`](Count::overflowed). The interrupt is an edge and needs no acknowledgement.
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        CounterSet::from_bits(self.pmu.driver.acknowledge(), false).counters
    }

    /// Stops all counters by one register write, and reads their counts.
    ///
    /// The write takes effect after the measured code has finished. `stop` also acknowledges
    /// overflows, and compares the device with the programmed settings: see [`Pmu::interference`].
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
