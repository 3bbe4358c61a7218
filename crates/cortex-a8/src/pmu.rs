//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::{Clock, Counter, Cycles};
use arm_pmu_core::measure::Interference;

use crate::events::COUNTERS;
use crate::hardware::Hardware;
use crate::registers::{Registers, UserRegisters};
use crate::{CortexA8Event, Counters, Mode, Privileged, Running, Selection, Space, User};

/// The performance monitoring unit of a Cortex-A8, stopped.
///
/// Choose what to count with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter),
/// [`start`](Self::start), let the work be done, [`stop`](Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// Until it is started nothing is written to the device, but for [`user_access`](Self::user_access),
/// [`acknowledge_all`](Self::acknowledge_all), and what is done with the registers themselves. `start`
/// writes everything that it relies on and clears what firmware or an earlier owner left behind.
///
/// # Who else uses it
///
/// The PMU is that of one core, and its counters are reached through a selector. An interrupt handler
/// that uses the PMU between two accesses of this driver makes it read or write another counter: keep
/// interrupts disabled during the driver's methods where there is such a handler. The driver looks
/// whether the selector was moved; if it was, the counts concerned are
/// [lost](arm_pmu_core::count::CountError::Disturbed). A handler that only reads and puts the selector back does no harm.
pub struct Pmu<B, M: Mode = Privileged> {
    pub(crate) driver: Driver<Hardware<B, M>, Selection, COUNTERS, Clock>,
}

/// The [`Pmu`] for software in User mode: without interrupts, and only where privileged software
/// [opened](Pmu::user_access) it. Made by [`open`](Self::open).
pub type UserPmu<B> = Pmu<B, User>;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus`, trusting that the core is a Cortex-A8: see
    /// [`probe`](Self::probe). For software in a privileged mode.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self::over(bus)
    }

    /// From the next start on, lets overflows of these counters assert nPMUIRQ, as far as they count
    /// anything. At first, none do.
    ///
    /// The interrupt stays asserted until it is [acknowledged](Running::acknowledge), which `stop` does
    /// too. How it reaches the core is a matter of the SoC; some do not connect it.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupting = counters.word();
    }

    /// Opens the PMU to User mode, or closes it, at once. Interrupts stay out of its reach.
    ///
    /// ```
    /// use arm_pmu_core::driver::ProbeErrorKind;
    /// use cortex_a8::{Pmu, UserPmu};
    /// # let device = arm_pmu_sim::CortexA8::new();
    /// # let (bus, user_bus) = (device.bus(), device.user_bus());
    /// let mut kernel = Pmu::new(bus);
    /// kernel.user_access(true);
    /// let program = UserPmu::open(user_bus).expect("it is open");
    /// ```
    pub fn user_access(&mut self, open: bool) {
        Registers::shared(self.bus()).pmuserenr().write(|w| w.en().bit(open));
        self.bus().synchronize();
    }

    /// All registers of the PMU.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }
}

impl<B: Bus<Space = Space>> UserPmu<B> {
    /// The registers of the PMU that User mode reaches.
    pub fn registers(&mut self) -> UserRegisters<'_, B> {
        UserRegisters::new(&mut self.driver.hardware_mut().bus)
    }
}

impl<B: Bus<Space = Space>, M: Mode> Pmu<B, M> {
    #[inline(always)]
    pub(crate) const fn over(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    #[inline(always)]
    pub(crate) const fn bus(&self) -> &B {
        &self.driver.hardware().bus
    }

    /// All four event counters, to say what each counts.
    ///
    /// Each keeps its selection until that is changed; at first, all are off.
    /// From the next start on, [selections](arm_pmu_core::measure::RunningMonitor::counter_of) are in the order of the
    /// counters, the cycles last, in whatever order they were [assigned](arm_pmu_core::measure::Monitor::assign) before.
    ///
    /// ```
    /// use cortex_a8::{CortexA8Event, Divider, Pmu};
    /// # let device = arm_pmu_sim::CortexA8::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// let [instructions, misses, ..] = pmu.counters();
    /// instructions.count(CortexA8Event::InstructionExecuted);
    /// misses.count(CortexA8Event::DataCacheRefill);
    /// pmu.cycle_counter().count(Divider::By64);
    /// ```
    pub fn counters(&mut self) -> [Counter<'_, Selection>; COUNTERS] {
        // Not in a loop, which would need them in memory.
        let [a, b, c, d] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Counter `n`, from 0 as in [`counters`](Self::counters), to say what it counts. `None` if there is no
    /// counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, Selection>> {
        self.driver.counter(n)
    }

    /// The cycle counter, to say whether it counts. At first it does not.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        self.driver.cycle_counter()
    }

    /// From the next start on, lets the cycle counter stand still where non-invasive debug is not
    /// permitted, as the event counters do. At first it does not.
    ///
    /// This is a test for that: cycles that advance without this, and stand still with it, say that
    /// non-invasive debug is not permitted, and that events cannot be counted.
    pub fn cycles_need_debug(&mut self, yes: bool) {
        self.driver.cycles_need_debug(yes);
    }

    /// Counts from zero, or from where the counters were told.
    ///
    /// All counters are released by one write.
    #[inline(always)]
    pub fn start(mut self) -> Running<B, M> {
        // Inlined, so that as a rule nothing is moved.
        self.driver.start();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand.
    ///
    /// What was [lost](Self::interference) or overflowed stays so. What the counters were told meanwhile waits
    /// for the next start. If nothing was counted before, this is a start.
    ///
    /// With [`Divider::By64`](arm_pmu_core::driver::Divider::By64) each resume adds to the error of the cycle count.
    #[inline(always)]
    pub fn resume(mut self) -> Running<B, M> {
        self.driver.resume();
        Running::new(self)
    }

    /// What the event counters had counted when they were stopped, one for one with
    /// [`counters`](Self::counters).
    ///
    /// [`Count::NOT_COUNTED`] of a counter that did not count.
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that a count that nobody asks for is no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1), count(2), count(3)]
    }

    /// What the cycle counter had counted when it was stopped, in units of the
    /// [`Divider`](arm_pmu_core::driver::Divider) that it was started with. [`Count::NOT_COUNTED`] if it did not count.
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

    /// Clears the overflow flags of all counters, and with them the interrupt, whoever left them: for a
    /// handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too, the latter for the counters in use.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }

    /// Adds one to the counters that count that, and to no others: what that would do is unpredictable.
    pub(crate) fn increment_by_software(&mut self) {
        let increment = Some(Selection::event(CortexA8Event::SoftwareIncrement));
        let mut counters = 0;
        for (counter, config) in self.driver.programmed().counters.iter().enumerate() {
            counters |= u8::from(config.selection == increment) << counter;
        }
        if counters != 0 {
            self.driver.hardware_mut().increment(counters);
        }
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<B, M: Mode> fmt::Debug for Pmu<B, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("interrupting", &Counters::from_word(self.driver.hardware().interrupting))
            .finish_non_exhaustive()
    }
}
