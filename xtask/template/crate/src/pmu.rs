//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::Driver;

use crate::events::COUNTERS;
use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::Selection;

/// The stopped performance monitoring unit (PMU) of one SKELETON IP.
///
/// Select events with [`counters`](Self::counters), call [`start`](Self::start), run the work, call
/// [`stop`](crate::Running::stop), and read [`counts`](Self::counts).
pub struct Pmu<B> {
    pub(crate) driver: Driver<Hardware<B>, Selection, COUNTERS>,
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` without checking it.
    ///
    /// [`probe`](Self::probe) checks the identification registers first.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::new(Hardware { bus }) }
    }

    /// Returns access to all registers of the device.
    ///
    /// Writes to the registers cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Returns the bus. If the PMU was started before, it remains stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }
}

/// Prints the event of each counter.
///
/// Printing does not access the device and needs no `Debug` of the bus.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.driver).finish()
    }
}
