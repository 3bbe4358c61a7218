//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::{Clock, Counter, Cycles, Divider};
use arm_pmu_core::measure::Interference;

use crate::hardware::Hardware;
use crate::{Arm1156, COUNTERS, Core, Counters, Running, Space};

/// The stopped performance monitoring unit (PMU) of an ARM11 core.
///
/// Use it as [`arm1136::Pmu`](crate::arm1136::Pmu), [`arm1156::Pmu`](crate::arm1156::Pmu) or
/// [`arm1176::Pmu`](crate::arm1176::Pmu).
///
/// Select events with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter), call
/// [`start`](Self::start), run the work, call [`stop`](Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// Each core has its own PMU. Work that moves to another core, or that runs while other software
/// uses the PMU, is not measured.
pub struct Pmu<C: Core, B> {
    pub(crate) driver: Driver<Hardware<C, B>, C::Selection, COUNTERS, Clock>,
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// Takes over the PMU behind `bus` without a check of the core.
    ///
    /// [`probe`](Self::probe) checks the Main ID Register first.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// Returns both event counters, to select what each counts.
    ///
    /// A counter keeps its selection until it is changed. At first, all counters are off. A call
    /// discards the order of an earlier [`assign`](arm_pmu_core::measure::Monitor::assign): from
    /// the next start on, [selections](arm_pmu_core::measure::RunningMonitor::counter_of) are in
    /// the order of the counters, with the cycle counter last.
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
    pub fn counters(&mut self) -> [Counter<'_, C::Selection>; COUNTERS] {
        // Listed one by one, because a loop would put them into memory.
        let [a, b] = self.driver.counters_mut();
        [a.into(), b.into()]
    }

    /// Returns counter `n`, to select what it counts.
    ///
    /// Numbers start at 0, in the order of [`counters`](Self::counters). Returns `None` if there is
    /// no counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, C::Selection>> {
        self.driver.counter(n)
    }

    /// Returns the cycle counter, to switch it on or off. At first it is off.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        self.driver.cycle_counter()
    }

    /// Selects the counters whose overflow asserts nPMUIRQ.
    ///
    /// It takes effect at the next start. At first, no counter asserts it. A counter that is not in
    /// use never does.
    ///
    /// The interrupt stays asserted until it is [acknowledged](Running::acknowledge), which `stop`
    /// does too. Its route to the core depends on the SoC's interrupt controller.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupts = counters.word();
    }

    /// Starts the counters.
    ///
    /// Each counts from zero, or from the value set by
    /// [`count_from`](arm_pmu_core::driver::Counter::count_from).
    ///
    /// One register write starts all three counters. According to the manual of the ARM1176, about
    /// three cycles pass until the first count.
    #[inline(always)]
    pub fn start(mut self) -> Running<C, B> {
        // Inlined, so that the driver is usually not copied.
        self.driver.start();
        Running::new(self)
    }

    /// Continues the last measurement from the values that the counters hold.
    ///
    /// Counters that were [disturbed](Self::interference) or that overflowed stay so. Selections
    /// changed since the last start take effect at the next start. Without an earlier start, this
    /// is a start.
    ///
    /// The driver does not check that the counters still hold their values of the last stop. After
    /// a power-down of the core, or if other software used the PMU, call [`start`](Self::start)
    /// instead.
    ///
    /// With [`Divider::By64`](arm_pmu_core::driver::Divider::By64) each resume adds to the error of the cycle count.
    #[inline(always)]
    pub fn resume(mut self) -> Running<C, B> {
        self.driver.resume();
        Running::new(self)
    }

    /// Returns the event counts of the last run, in the order of the counters.
    ///
    /// A counter that was off gives [`Count::NOT_COUNTED`].
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that an unused count generates no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1)]
    }

    /// Returns the cycle count of the last run.
    ///
    /// Its unit is 1 or 64 cycles, by the [`Divider`](arm_pmu_core::driver::Divider) of the start.
    /// If the cycle counter was off, this is [`Count::NOT_COUNTED`].
    #[must_use]
    #[inline]
    pub fn cycles(&self) -> Count {
        self.driver.cycles()
    }

    /// Returns the interference since the last [`start`](Self::start), if any.
    ///
    /// It names the counters whose settings other software changed, or that did not accept their
    /// settings. The cycle counter has the number [`Interference::CYCLE_COUNTER`]. The counts of
    /// these counters are [`CountError::Disturbed`](arm_pmu_core::count::CountError::Disturbed).
    #[must_use]
    #[inline]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// Returns the bus. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }

    /// Clears the overflow flags of all counters, and with them the interrupts.
    ///
    /// Use it in an interrupt handler that is called while the PMU is stopped. It disables the
    /// counters and keeps their values.
    ///
    /// `start` and [`stop`](crate::Running::stop) clear these flags too.
    pub fn acknowledge_all(&mut self) {
        let by_64 = self.driver.programmed().cycles.divider == Divider::By64;
        let has_started = self.driver.in_use() != 0;
        self.driver.hardware_mut().acknowledge_all(by_64, has_started);
    }
}

/// Only the PMU of an ARM1156 has a fast interrupt.
impl<B: Bus<Space = Space>> Pmu<Arm1156, B> {
    /// Selects the counters whose overflow asserts nPMUFIQ.
    ///
    /// It takes effect at the next start. At first, no counter asserts it. A counter that is not in
    /// use never does.
    ///
    /// A counter can assert both interrupts.
    pub fn fast_interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().fast = counters.word();
    }
}

/// Shows what each counter counts.
///
/// It does not access the device and needs no `Debug` of the bus.
impl<C: Core, B> fmt::Debug for Pmu<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("interrupts", &Counters::from_word(self.driver.hardware().interrupts))
            .field("fast_interrupts", &Counters::from_word(self.driver.hardware().fast))
            .finish_non_exhaustive()
    }
}
