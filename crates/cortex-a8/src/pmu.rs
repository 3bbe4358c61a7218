//! The stopped driver.

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

/// The stopped performance monitoring unit (PMU) of a Cortex-A8.
///
/// Select events with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter), call
/// [`start`](Self::start), run the work, call [`stop`](Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// Before `start`, only [`user_access`](Self::user_access),
/// [`acknowledge_all`](Self::acknowledge_all) and the typed registers write to the device. `start`
/// writes every register that the measurement depends on, and clears what firmware or an earlier
/// owner left behind.
///
/// # Other users of the PMU
///
/// Each core has its own PMU, and its event counters are accessed through a selector. An interrupt
/// handler that moves the selector between two accesses of this driver makes the driver read or
/// write another counter. If there is such a handler, keep interrupts disabled during the driver's
/// methods. The driver checks the selector. If it was moved, the counts concerned are
/// [disturbed](arm_pmu_core::count::CountError::Disturbed). A handler that only reads and restores
/// the selector does no harm.
pub struct Pmu<B, M: Mode = Privileged> {
    pub(crate) driver: Driver<Hardware<B, M>, Selection, COUNTERS, Clock>,
}

/// The [`Pmu`] for software in User mode, without interrupts.
///
/// [`open`](Self::open) returns it.
///
/// It works only if privileged software [permits access](Pmu::user_access).
pub type UserPmu<B> = Pmu<B, User>;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` without a check of the core.
    ///
    /// This is for software in a privileged mode. [`probe`](Self::probe) checks that the core is a
    /// Cortex-A8.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self::over(bus)
    }

    /// Selects the counters whose overflow asserts nPMUIRQ.
    ///
    /// It takes effect at the next start. At first, no counter asserts nPMUIRQ. A counter that is
    /// not in use never asserts it.
    ///
    /// The interrupt stays asserted until the overflow is [acknowledged](Running::acknowledge).
    /// `stop` acknowledges it too. The route of the interrupt to the core depends on the SoC. Some
    /// SoCs do not connect it.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupting = counters.word();
    }

    /// Permits or forbids access to the PMU in User mode, at once.
    ///
    /// User mode never has access to the interrupt enables.
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

    /// Gives access to all registers of the PMU.
    ///
    /// Writes to them cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }
}

impl<B: Bus<Space = Space>> UserPmu<B> {
    /// Gives access to the registers that User mode can access.
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

    /// Returns all four event counters, to select what each counts.
    ///
    /// A counter keeps its selection until it is changed. At first, all counters are off. A call
    /// discards the order of an earlier [`assign`](arm_pmu_core::measure::Monitor::assign): from
    /// the next start on, [selections](arm_pmu_core::measure::RunningMonitor::counter_of) are in
    /// the order of the counters, with the cycle counter last.
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
        // Listed one by one, because a loop would put them into memory.
        let [a, b, c, d] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Returns counter `n`, to select what it counts.
    ///
    /// Numbers start at 0, in the order of [`counters`](Self::counters). Returns `None` if there is
    /// no counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, Selection>> {
        self.driver.counter(n)
    }

    /// Returns the cycle counter, to switch it on or off. At first it is off.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        self.driver.cycle_counter()
    }

    /// Makes the cycle counter stop without permission for non-invasive debug.
    ///
    /// The event counters always stop without this permission.
    ///
    /// It takes effect at the next start and is off at first.
    ///
    /// The setting can test the permission: if the cycle counter runs without this setting and
    /// stands still with it, non-invasive debug is not permitted, and events cannot be counted.
    pub fn cycles_need_debug(&mut self, yes: bool) {
        self.driver.cycles_need_debug(yes);
    }

    /// Starts the counters.
    ///
    /// Each counts from zero, or from the value set by
    /// [`count_from`](arm_pmu_core::driver::Counter::count_from).
    ///
    /// One register write starts all counters.
    #[inline(always)]
    pub fn start(mut self) -> Running<B, M> {
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
    /// With [`Divider::By64`](arm_pmu_core::driver::Divider::By64) each resume adds to the error of the cycle count.
    #[inline(always)]
    pub fn resume(mut self) -> Running<B, M> {
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
        [count(0), count(1), count(2), count(3)]
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

    /// Clears the overflow flags of all counters, and with them the interrupt.
    ///
    /// Use it in an interrupt handler that is called while the PMU is stopped.
    ///
    /// `start` clears these flags too. [`stop`](crate::Running::stop) clears those of the counters
    /// in use.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }

    /// Adds one to each counter that counts SOFTWARE_INCREMENT.
    ///
    /// For any other counter, the result would be unpredictable.
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

/// Shows what each counter counts.
///
/// It does not access the device and needs no `Debug` of the bus.
impl<B, M: Mode> fmt::Debug for Pmu<B, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("interrupting", &Counters::from_word(self.driver.hardware().interrupting))
            .finish_non_exhaustive()
    }
}
