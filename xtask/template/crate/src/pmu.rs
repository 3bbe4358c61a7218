//! The stopped driver.

use core::fmt;

use arm_pmu_core::driver::Driver;
use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::measure::Interference;

use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::{Counter, Running, Selection};
use crate::events::COUNTERS;

/// The stopped performance monitoring unit (PMU) of one SKELETON IP.
///
/// Select events with [`counters`](Self::counters), call [`start`](Self::start), run the work, call
/// [`stop`](Running::stop), and read [`counts`](Self::counts).
pub struct Pmu<B> {
    pub(crate) driver: Driver<Hardware<B>, Selection, COUNTERS>,
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` without a check.
    ///
    /// [`probe`](Self::probe) checks the identification registers first.
    #[must_use]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::new(Hardware { bus }) }
    }

    /// Returns all counters, to select what each counts.
    ///
    /// A counter keeps its selection until it is changed. At first, all counters are off.
    pub fn counters(&mut self) -> [Counter<'_>; COUNTERS] {
        self.driver.counters_mut().each_mut().map(Counter::from)
    }

    /// Returns counter `n`, to select what it counts.
    ///
    /// Numbers start at 0, in the order of [`counters`](Self::counters). Returns `None` if there is
    /// no counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_>> {
        self.driver.counter(n)
    }

    /// Starts the counters.
    ///
    /// Each counts from zero, or from the value set by [`Counter::count_from`].
    pub fn start(mut self) -> Running<B> {
        self.driver.start();
        Running::new(self)
    }

    /// Continues the last measurement from the values that the counters hold.
    ///
    /// Selections changed since the last start take effect at the next start. Without an earlier
    /// start, this is a start.
    pub fn resume(mut self) -> Running<B> {
        self.driver.resume();
        Running::new(self)
    }

    /// Returns the counts of the last run.
    ///
    /// They are in the order of [`counters`](Self::counters). A counter that was off gives
    /// [`Count::NOT_COUNTED`].
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        core::array::from_fn(|number| self.driver.count(number))
    }

    /// Returns the interference since the last [`start`](Self::start), if any.
    #[must_use]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// Gives access to all registers of the device.
    ///
    /// Writes to them cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Returns the bus. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }
}

/// Shows what each counter counts.
///
/// It does not access the device and needs no `Debug` of the bus.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.driver).finish()
    }
}
