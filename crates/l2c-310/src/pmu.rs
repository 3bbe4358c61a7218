//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::Driver;

use crate::Selection;
use crate::events::COUNTERS;
use crate::hardware::Hardware;
use crate::registers::{Registers, Space};

/// The stopped performance monitoring unit (PMU) of one CoreLink L2C-310.
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
        Self { driver: Driver::new(Hardware::new(bus)) }
    }

    /// Returns access to all registers of the device.
    ///
    /// Writes to the registers cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Selects the counters whose overflow asserts the interrupt of the cache controller after the next start.
    ///
    /// By default, no counter asserts the interrupt. ECNTR of REG2_INT_MASK must also enable the interrupt. The
    /// driver does not write this register, because it also controls the interrupts for errors of the cache.
    ///
    /// ```
    /// use l2c_310::{L2c310Event, Pmu};
    ///
    /// # let device = arm_pmu_sim::L2c310::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// let [reads, _] = pmu.counters();
    /// reads.count(L2c310Event::DataReadRequest);
    /// pmu.interrupt([true, false]);
    /// pmu.registers().reg2_int_mask().modify(|_, w| w.ecntr().set_bit());
    /// ```
    pub fn interrupt(&mut self, counters: [bool; COUNTERS]) {
        let [first, second] = counters;
        self.driver.hardware_mut().interrupting = u32::from(first) | u32::from(second) << 1;
    }

    /// Clears the interrupt of the counters.
    ///
    /// Use this in an interrupt handler that runs while the PMU is stopped.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().clear_interrupt();
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
