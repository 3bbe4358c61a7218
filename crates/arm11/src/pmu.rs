//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{Clock, Divider, Driver};

use crate::hardware::Hardware;
use crate::{Arm1156, COUNTERS, Core, Counters, Space};

/// The stopped performance monitoring unit (PMU) of an ARM11 core.
///
/// The type is available as [`arm1136::Pmu`](crate::arm1136::Pmu),
/// [`arm1156::Pmu`](crate::arm1156::Pmu) and [`arm1176::Pmu`](crate::arm1176::Pmu).
///
/// Select events with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter), call
/// [`start`](Self::start), run the work, call [`stop`](crate::Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// Each core has its own PMU. Work that moves to another core, or that runs while other software
/// uses the PMU, is not measured.
///
/// ```
/// use arm11::Divider;
/// use arm11::arm1176::{Arm1176Event, Pmu};
/// # let device = arm_pmu_sim::Arm11::arm1176();
/// # let bus = device.bus();
/// let mut pmu = Pmu::new(bus);
/// let [branches, mispredicted] = pmu.counters();
/// branches.count(Arm1176Event::BranchExecuted);
/// mispredicted.count(Arm1176Event::BranchMispredicted);
/// pmu.cycle_counter().count(Divider::By64);
/// ```
pub struct Pmu<C: Core, B> {
    pub(crate) driver: Driver<Hardware<C, B>, C::Selection, COUNTERS, Clock>,
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// Takes over the PMU behind `bus` without checking the core.
    ///
    /// [`probe`](Self::probe) checks the Main ID Register first.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// Selects the counters whose overflow asserts nPMUIRQ.
    ///
    /// The selection takes effect at the next start. At first, no counter asserts the interrupt. An
    /// unused counter never asserts the interrupt.
    ///
    /// The interrupt stays asserted until it is [acknowledged](crate::Running::acknowledge). `stop` also acknowledges
    /// the interrupt. The SoC's interrupt controller determines the route of the interrupt to the core.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupts = counters.word();
    }

    /// Returns the bus. If the PMU was started before, it remains stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }

    /// Clears the overflow flags of all counters, which deasserts the interrupts.
    ///
    /// Use this in an interrupt handler that runs while the PMU is stopped. The call disables the
    /// counters and keeps their values.
    ///
    /// `start` and [`stop`](crate::Running::stop) also clear these flags.
    pub fn acknowledge_all(&mut self) {
        let by_64 = self.driver.programmed().cycles.divider == Divider::By64;
        let in_use = self.driver.in_use();
        if !self.driver.hardware_mut().acknowledge_all(by_64, in_use != 0) {
            self.driver.add_interference(in_use);
        }
    }
}

/// Only the PMU of an ARM1156 has a fast interrupt.
impl<B: Bus<Space = Space>> Pmu<Arm1156, B> {
    /// Selects the counters whose overflow asserts nPMUFIQ.
    ///
    /// The selection takes effect at the next start. At first, no counter asserts the interrupt. An
    /// unused counter never asserts the interrupt.
    ///
    /// A counter can assert both interrupts.
    pub fn fast_interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().fast = counters.word();
    }
}

/// Prints the event of each counter.
///
/// Printing does not access the device and needs no `Debug` of the bus.
impl<C: Core, B> fmt::Debug for Pmu<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("interrupts", &Counters::from_word(self.driver.hardware().interrupts))
            .field("fast_interrupts", &Counters::from_word(self.driver.hardware().fast))
            .finish_non_exhaustive()
    }
}
