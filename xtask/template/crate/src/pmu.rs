//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::driver::Driver;
use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::measure::Interference;

use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::{Counter, Running, Selection};
use crate::events::COUNTERS;

/// The performance monitoring unit of one SKELETON IP, stopped.
///
/// Choose what to count with [`counters`](Self::counters), [`start`](Self::start), let the work be done,
/// [`stop`](Running::stop), and read [`counts`](Self::counts).
pub struct Pmu<B> {
    pub(crate) driver: Driver<Hardware<B>, Selection, COUNTERS>,
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus`, trusting that it is one: see [`probe`](Self::probe).
    #[must_use]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::new(Hardware { bus }) }
    }

    /// All counters, to say what each counts. At first, nothing.
    pub fn counters(&mut self) -> [Counter<'_>; COUNTERS] {
        self.driver.counters_mut().each_mut().map(Counter::from)
    }

    /// Counter `n`, from 0 as in [`counters`](Self::counters), to say what it counts. `None` if there is no
    /// counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_>> {
        self.driver.counter(n)
    }

    /// Counts from zero, or from where [`Counter::count_from`] said.
    pub fn start(mut self) -> Running<B> {
        self.driver.start();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand. What
    /// the [`counters`](Self::counters) were told meanwhile waits for the next start. If nothing was
    /// counted before, this is a start.
    pub fn resume(mut self) -> Running<B> {
        self.driver.resume();
        Running::new(self)
    }

    /// What the counters held when they were stopped, one for one with
    /// [`counters`](Self::counters). [`Count::NOT_COUNTED`] of a counter that did not count.
    #[must_use]
    pub fn counts(&self) -> [Count; COUNTERS] {
        core::array::from_fn(|number| self.driver.count(number))
    }

    /// What was not as set since the last [`start`](Self::start), if anything.
    #[must_use]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// All registers of the device.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Gives the bus back. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.driver).finish()
    }
}
