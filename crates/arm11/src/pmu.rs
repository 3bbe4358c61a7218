//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::{Clock, Counter, Cycles, Divider};
use arm_pmu_core::measure::Interference;

use crate::hardware::Hardware;
use crate::{Arm1156, COUNTERS, Core, Counters, Running, Space};

/// The performance monitoring unit of an ARM11 core, stopped. Use it as
/// [`arm1136::Pmu`](crate::arm1136::Pmu), [`arm1156::Pmu`](crate::arm1156::Pmu) or
/// [`arm1176::Pmu`](crate::arm1176::Pmu).
///
/// Choose what to count with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter),
/// [`start`](Self::start), let the work be done, [`stop`](Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// The PMU is that of one core. Whoever moves work to another core, or lets another owner use the PMU in
/// between, does not measure that work.
pub struct Pmu<C: Core, B> {
    pub(crate) driver: Driver<Hardware<C, B>, C::Selection, COUNTERS, Clock>,
}

impl<C: Core, B: Bus<Space = Space>> Pmu<C, B> {
    /// Takes over the PMU behind `bus`, trusting that the core is this one: see
    /// [`probe`](Self::probe).
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// Both event counters, to say what each counts.
    ///
    /// Each keeps its selection until that is changed; at first, all are off.
    /// From the next start on, [selections](arm_pmu_core::measure::RunningMonitor::counter_of) are in the order of the
    /// counters, the cycles last, in whatever order they were [assigned](arm_pmu_core::measure::Monitor::assign) before.
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
        // Not in a loop, which would need them in memory.
        let [a, b] = self.driver.counters_mut();
        [a.into(), b.into()]
    }

    /// Counter `n`, from 0 as in [`counters`](Self::counters), to say what it counts. `None` if there is no
    /// counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, C::Selection>> {
        self.driver.counter(n)
    }

    /// The cycle counter, to say whether it counts. At first it does not.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        self.driver.cycle_counter()
    }

    /// From the next start on, lets overflows of these counters assert nPMUIRQ. At first, none do. A
    /// counter that is not in use never does.
    ///
    /// The interrupt stays asserted until it is [acknowledged](Running::acknowledge), which `stop` does
    /// too. How it reaches the core is a matter of the SoC's interrupt controller.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupts = counters.word();
    }

    /// Counts from zero, or from where the counters were told.
    ///
    /// All three counters are released by one write; according to the manual of the ARM1176 about three
    /// cycles pass until the first count.
    #[inline(always)]
    pub fn start(mut self) -> Running<C, B> {
        // Inlined, so that as a rule nothing is moved.
        self.driver.start();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand.
    ///
    /// What was [lost](Self::interference) or overflowed stays so. What the counters were told meanwhile waits
    /// for the next start. If nothing was counted before, this is a start.
    ///
    /// Whether the counters still hold what they held at the stop is not checked: after the core lost
    /// its power, or somebody else used the PMU, [`start`](Self::start) anew.
    ///
    /// With [`Divider::By64`](arm_pmu_core::driver::Divider::By64) each resume adds to the error of the cycle count.
    #[inline(always)]
    pub fn resume(mut self) -> Running<C, B> {
        self.driver.resume();
        Running::new(self)
    }

    /// What the event counters held when they were stopped, one for one with
    /// [`counters`](Self::counters).
    ///
    /// [`Count::NOT_COUNTED`] of a counter that did not count.
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that a count that nobody asks for is no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1)]
    }

    /// What the cycle counter held when it was stopped, in units of the [`Divider`](arm_pmu_core::driver::Divider)
    /// that it was started with. [`Count::NOT_COUNTED`] if it did not count.
    #[must_use]
    #[inline]
    pub fn cycles(&self) -> Count {
        self.driver.cycles()
    }

    /// What was not as set since the last [`start`](Self::start), if anything: somebody else changed
    /// it, or the device did not take it. The cycle counter has the number
    /// [`Interference::CYCLE_COUNTER`]. The counts concerned are [`CountError::Disturbed`](arm_pmu_core::count::CountError::Disturbed).
    #[must_use]
    #[inline]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// Gives the bus back. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }

    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts. The counters are off then, and hold what they
    /// held.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        let by_64 = self.driver.programmed().cycles.divider == Divider::By64;
        let has_started = self.driver.in_use() != 0;
        self.driver.hardware_mut().acknowledge_all(by_64, has_started);
    }
}

/// Only an ARM1156 has a fast interrupt of the PMU.
impl<B: Bus<Space = Space>> Pmu<Arm1156, B> {
    /// From the next start on, lets overflows of these counters assert nPMUFIQ. At first, none do. A
    /// counter that is not in use never does.
    ///
    /// A counter can have both interrupts.
    pub fn fast_interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().fast = counters.word();
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<C: Core, B> fmt::Debug for Pmu<C, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("interrupts", &Counters::from_word(self.driver.hardware().interrupts))
            .field("fast_interrupts", &Counters::from_word(self.driver.hardware().fast))
            .finish_non_exhaustive()
    }
}
