//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::{Counter, CounterSet};
use arm_pmu_core::measure::Interference;

use crate::implementation::Hardware;
use crate::registers::{Page0, Page0Registers, Page1, Page1Registers};
use crate::{COUNTERS, Component, Running, StreamFilter};

/// The stopped performance monitoring unit (PMU) of a TCU or of a TBU.
///
/// Use it as [`tcu::Pmu`](crate::tcu::Pmu) or [`tbu::Pmu`](crate::tbu::Pmu).
///
/// It owns a bus to each of its two pages, `P0` and `P1`. Operating systems map the pages
/// separately.
///
/// Select events with [`counters`](Self::counters) and streams with
/// [`filter_streams`](Self::filter_streams), call [`start`](Self::start), run the work, call
/// [`stop`](Running::stop), and read [`counts`](Self::counts).
///
/// Before `start`, only [`interrupts`](Self::interrupts),
/// [`acknowledge_all`](Self::acknowledge_all) and [`registers`](Self::registers) write to the
/// device. `start` writes every register that the measurement depends on except IRQ_CTRL, and
/// clears what firmware or an earlier owner left behind.
pub struct Pmu<C: Component, P0, P1> {
    pub(crate) driver: Driver<Hardware<C, P0, P1>, C::Selection, COUNTERS>,
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Takes over the PMU behind the buses to its two pages without a check.
    ///
    /// [`probe`](Self::probe) checks the identification registers first.
    #[must_use]
    #[inline(always)]
    pub const fn new(page0: P0, page1: P1) -> Self {
        Self { driver: Driver::new(Hardware::new(page0, page1)) }
    }

    /// Returns all four counters, to select what each counts.
    ///
    /// A counter keeps its selection until it is changed. At first, all counters are off. There is
    /// no dedicated cycle counter: each of the four can count the event `ClockCycle`.
    ///
    /// ```
    /// use mmu600::tbu::{Pmu, TbuEvent};
    /// # let device = arm_pmu_sim::Mmu600::tbu();
    /// # let (page0, page1) = (device.page0(), device.page1());
    /// let mut pmu = Pmu::new(page0, page1);
    /// let [misses, lookups, ..] = pmu.counters();
    /// misses.count(TbuEvent::MainTlbMiss);
    /// lookups.count(TbuEvent::MainTlbLookup);
    /// ```
    pub fn counters(&mut self) -> [Counter<'_, C::Selection>; COUNTERS] {
        // Listed one by one, because a loop would put them into memory.
        let [a, b, c, d] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Returns counter `n`, to select what it counts.
    ///
    /// Numbers start at 0, in the order of [`counters`](Self::counters). Returns `None` if there is
    /// no counter `n`.
    ///
    /// ```
    /// use mmu600::tbu::{Pmu, Selection};
    ///
    /// # let device = arm_pmu_sim::Mmu600::tbu();
    /// # let (page0, page1) = (device.page0(), device.page1());
    /// # let numbers = [(0, 0x80), (3, 0x81)]; // as a command line gives them
    /// let mut pmu = Pmu::new(page0, page1);
    /// for (n, code) in numbers {
    ///     let counter = pmu.counter(n).ok_or("the PMU has 4 counters")?;
    ///     counter.count(Selection::try_from(code)?);
    /// }
    /// # assert!(pmu.counter(3).unwrap().selection().is_some() && pmu.counter(4).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, C::Selection>> {
        self.driver.counter(n)
    }

    /// Restricts all counters to events of these streams.
    ///
    /// It takes effect at the next start. At first, all streams are counted.
    pub fn filter_streams(&mut self, filter: StreamFilter) {
        self.driver.hardware_mut().filter = filter;
    }

    /// Returns which counters ignore the [filter](Self::filter_streams).
    ///
    /// The filter does not apply to their events.
    ///
    /// With [`StreamFilter::ALL`], all elements are `false`.
    ///
    /// An event that the manual does not list is assumed to obey the filter.
    #[must_use]
    pub fn unfiltered(&self) -> [bool; COUNTERS] {
        let hardware = self.driver.hardware();
        self.driver.pending().counters.map(|counter| hardware.is_unfiltered(counter.selection))
    }

    /// Selects the counters whose overflow captures all counters.
    ///
    /// This is EVTYPER.OVFCAP.
    ///
    /// It takes effect at the next start. At first, no overflow captures.
    ///
    /// The setting holds until it is changed: each start writes it. The hardware copies the four counters to
    /// their shadow registers at the event that overflows the counter, so the shadow of that counter is 0.
    /// [`Running::captured`] reads the shadows, until the next [capture](Running::capture) replaces them. A
    /// counter that is off does not overflow.
    ///
    /// Counts do not depend on this setting, so start and stop do not compare it: a change by other
    /// software is no [interference](Self::interference).
    ///
    /// Source: IHI 0070 10.5.2.2, for an implementation with CFGR.CAPTURE = 1. The MMU-600 is such
    /// an implementation (100310 Table 2-9).
    ///
    /// ```
    /// use std::num::NonZeroU32;
    ///
    /// use mmu600::tbu::{Pmu, TbuEvent};
    ///
    /// # let device = arm_pmu_sim::Mmu600::tbu();
    /// # let (page0, page1) = (device.page0(), device.page1());
    /// let mut pmu = Pmu::new(page0, page1);
    /// let [lookups, misses, ..] = pmu.counters();
    /// lookups.overflow_after(TbuEvent::MainTlbLookup, NonZeroU32::new(1_000).unwrap());
    /// misses.count(TbuEvent::MainTlbMiss);
    /// pmu.capture_on_overflow([true, false, false, false]);
    ///
    /// let running = pmu.start();
    /// # device.signal(mmu600::TbuEvent::MainTlbMiss, arm_pmu_sim::Stream::non_secure(0x41), 70);
    /// # device.signal(mmu600::TbuEvent::MainTlbLookup, arm_pmu_sim::Stream::non_secure(0x41), 1_000);
    /// # device.signal(mmu600::TbuEvent::MainTlbMiss, arm_pmu_sim::Stream::non_secure(0x41), 5);
    /// // The misses of the first 1000 lookups.
    /// assert_eq!(running.captured()[1], Some(70));
    /// ```
    pub fn capture_on_overflow(&mut self, counters: [bool; COUNTERS]) {
        self.driver.hardware_mut().captures = CounterSet { counters, cycles: false }.bits();
    }

    /// Returns whether Secure events and Secure streams are counted (SCR.SO).
    ///
    /// Returns `None` to Non-secure software, which cannot read SCR.
    ///
    /// If SCR.SO reads as 0 at the start or at the stop, the counts of [Secure
    /// events](arm_pmu_core::event::Event::secure_only), and those that a [Secure
    /// filter](StreamFilter::secure) applies to, are
    /// [disturbed](arm_pmu_core::count::CountError::Disturbed). Non-secure software gets no such
    /// error: the counts are then zero, or include only Non-secure streams.
    #[must_use]
    pub fn secure_observation(&self) -> Option<bool> {
        self.driver.hardware().secure_observation()
    }

    /// Starts the counters.
    ///
    /// Each counts from zero, or from the value set by
    /// [`count_from`](arm_pmu_core::driver::Counter::count_from).
    ///
    /// One register write starts all counters. It has reached the device when this returns.
    #[inline(always)]
    pub fn start(mut self) -> Running<C, P0, P1> {
        // Inlined, so that the driver is usually not copied.
        self.driver.start();
        Running::new(self)
    }

    /// Continues the last measurement from the values that the counters hold.
    ///
    /// Counters that were [disturbed](Self::interference) or that overflowed stay so. Selections
    /// changed since the last start take effect at the next start. Without an earlier start, this
    /// is a start.
    #[inline(always)]
    pub fn resume(mut self) -> Running<C, P0, P1> {
        self.driver.resume();
        Running::new(self)
    }

    /// Returns the counts of the last run, in the order of the counters.
    ///
    /// A counter that was off gives [`Count::NOT_COUNTED`].
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that an unused count generates no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1), count(2), count(3)]
    }

    /// Returns the interference since the last [`start`](Self::start), if any.
    ///
    /// It names the counters whose settings other software changed, or that did not accept their
    /// settings. Their counts are
    /// [`CountError::Disturbed`](arm_pmu_core::count::CountError::Disturbed). The driver also
    /// checks the filter. It checks [Secure observation](Self::secure_observation) if a selection
    /// or the filter needs it and the driver can read it.
    #[must_use]
    #[inline]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// Gives access to all registers on the two pages.
    ///
    /// Writes to them cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> (Page0Registers<'_, P0>, Page1Registers<'_, P1>) {
        let hardware = self.driver.hardware_mut();
        (Page0Registers::new(&mut hardware.page0), Page1Registers::new(&mut hardware.page1))
    }

    /// Returns the buses. If the PMU was ever started, CR.E stays 0.
    ///
    /// All other settings, including the filter and the [interrupt](Self::interrupts), stay as they
    /// are.
    pub fn release(self) -> (P0, P1) {
        let Hardware { page0, page1, .. } = self.driver.release();
        (page0, page1)
    }

    /// Clears the overflow flags of all counters.
    ///
    /// Use it in an interrupt handler that is called while the PMU is stopped.
    ///
    /// `start` clears these flags too. [`stop`](crate::Running::stop) clears those of the counters
    /// in use.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }
}

/// Shows what each counter counts.
///
/// It does not access the device and needs no `Debug` of the buses.
impl<C: Component, P0, P1> fmt::Debug for Pmu<C, P0, P1> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("filter", &self.driver.hardware().filter)
            .field(
                "interrupts",
                &CounterSet::<COUNTERS>::from_bits(self.driver.hardware().interrupts, false)
                    .counters,
            )
            .field(
                "captures",
                &CounterSet::<COUNTERS>::from_bits(self.driver.hardware().captures, false).counters,
            )
            .finish_non_exhaustive()
    }
}
