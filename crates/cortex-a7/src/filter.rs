//! Filter by mode, which other ARMv7 cores than the Cortex-A7 lack.

use arm_pmu_core::bus::Bus;
use armv7_pmu::Filter;

use crate::{Mode, Pmu, Space};

impl<B: Bus<Space = Space>, M: Mode> Pmu<B, M> {
    /// Selects the modes in which the counters count, the cycle counter too.
    ///
    /// It takes effect at the next start. At first, they count in all modes. The driver gives all counters the same
    /// filter.
    ///
    /// Secure modes count only where non-invasive debug is permitted there. Non-secure software can write a filter with
    /// Hyp mode, so leave [`Filter::HYP`] out to count the same on every core.
    ///
    /// ```
    /// use cortex_a7::{Filter, Pmu};
    /// # let device = arm_pmu_sim::CortexA7::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// pmu.count_in(Filter::USER); // programs, without the kernel
    /// ```
    pub fn count_in(&mut self, modes: Filter) {
        self.driver.hardware_mut().set_filter(modes);
    }

    /// Returns the modes in which the counters count from the next start on.
    #[must_use]
    pub fn counts_in(&self) -> Filter {
        self.driver.hardware().filter()
    }
}
