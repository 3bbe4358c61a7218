//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::{Counter, CounterSet};
use arm_pmu_core::driver::{Driver, Hardware as _};
use arm_pmu_core::measure::Interference;

use crate::hardware::{Hardware, obeys_and_is_secure};
use crate::registers::{Page0, Page0Registers, Page1, Page1Registers};
use crate::{COUNTERS, Component, Running, StreamFilter};

/// The performance monitoring unit of a TCU or of a TBU, stopped. Use it as [`tcu::Pmu`](crate::tcu::Pmu)
/// or [`tbu::Pmu`](crate::tbu::Pmu).
///
/// It owns a bus to each of its two pages, `P0` and `P1`, which operating systems map apart.
///
/// Choose what to count with [`counters`](Self::counters) and whose streams with
/// [`filter_streams`](Self::filter_streams), [`start`](Self::start), let the work be done, [`stop`](Running::stop), and
/// read [`counts`](Self::counts).
///
/// But for [`interrupts`](Self::interrupts) and [`acknowledge_all`](Self::acknowledge_all), nothing is
/// written to the device before `start`, which writes everything that it relies on, IRQ_CTRL excepted,
/// and clears what firmware or an earlier owner left behind.
pub struct Pmu<C: Component, P0, P1> {
    pub(crate) driver: Driver<Hardware<C, P0, P1>, C::Selection, COUNTERS>,
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Takes over the PMU behind the buses to its two pages, trusting that they are those of this unit:
    /// see [`probe`](Self::probe).
    #[must_use]
    #[inline(always)]
    pub const fn new(page0: P0, page1: P1) -> Self {
        Self { driver: Driver::new(Hardware::new(page0, page1)) }
    }

    /// All four counters, to say what each counts.
    ///
    /// Each keeps its selection until that is changed; at first, all are off. There is no counter for cycles
    /// alone: each of the four can count them, as the event `ClockCycle`.
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
        // Not in a loop, which would need them in memory.
        let [a, b, c, d] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Counter `n`, from 0 as in [`counters`](Self::counters), to say what it counts. `None` if there is no
    /// counter `n`.
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

    /// From the next start on, counts events of these streams only, on all counters. At first, those of
    /// all streams.
    pub fn filter_streams(&mut self, filter: StreamFilter) {
        self.driver.hardware_mut().filter = filter;
    }

    /// Which counters will count whatever the [filter](Self::filter_streams) says, because no filter
    /// applies to what they are told to count. None while the filter lets all streams pass.
    ///
    /// Of what the manual does not list nothing is known; it is taken to obey the filter.
    #[must_use]
    pub fn unfiltered(&self) -> [bool; COUNTERS] {
        let filters = self.driver.hardware().filter != StreamFilter::ALL;
        self.driver.pending().counters.map(|slot| {
            filters
                && slot.selection.is_some_and(|selection| !obeys_and_is_secure::<C>(selection).0)
        })
    }

    /// From the next start on, lets an overflow of each of these counters capture all counters
    /// (EVTYPER.OVFCAP). At first none does.
    ///
    /// The setting holds until it is changed: each start writes it. The hardware copies the four counters to
    /// their shadow registers at the event that overflows the counter, so the shadow of that counter is 0.
    /// [`Running::captured`] reads the shadows, until the next [capture](Running::capture) replaces them. A
    /// counter that is off does not overflow.
    ///
    /// Counts do not depend on this setting, so a start or stop does not compare it: what another party
    /// changed in it is no [interference](Self::interference).
    ///
    /// Source: IHI 0070 10.5.2.2, for an implementation with CFGR.CAPTURE = 1, which the MMU-600 is (100310
    /// Table 2-9).
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
        self.driver.hardware_mut().captures = CounterSet { counters, cycles: false }.bits() as u8;
    }

    /// Whether Secure events and Secure streams are counted (SCR.SO). `None` if this software cannot
    /// read that, because it is Non-secure.
    ///
    /// Where it reads as off at the start or at the stop, the counts of
    /// [Secure events](arm_pmu_core::event::Event::secure_only), and those that a
    /// [Secure filter](StreamFilter::secure) applies to, are [lost](arm_pmu_core::count::CountError::Disturbed). Non-secure
    /// software has to know: its counts of them are zero then, or of Non-secure streams.
    #[must_use]
    pub fn secure_observation(&self) -> Option<bool> {
        self.driver.hardware().secure_observation()
    }

    /// Counts from zero, or from where the counters were told.
    ///
    /// All counters are released by one write, which has reached the device when this returns.
    #[inline(always)]
    pub fn start(mut self) -> Running<C, P0, P1> {
        // Inlined, so that as a rule nothing is moved.
        self.driver.start();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand.
    ///
    /// What was [lost](Self::interference) or overflowed stays so. What the counters were told meanwhile waits
    /// for the next start. If nothing was counted before, this is a start.
    #[inline(always)]
    pub fn resume(mut self) -> Running<C, P0, P1> {
        self.driver.resume();
        Running::new(self)
    }

    /// What the counters held when they were stopped, one for one with [`counters`](Self::counters).
    ///
    /// [`Count::NOT_COUNTED`] of a counter that did not count.
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that a count that nobody asks for is no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1), count(2), count(3)]
    }

    /// What was not as set since the last [`start`](Self::start), if anything: somebody else changed
    /// it, or the device did not take it. The counts concerned are
    /// [`CountError::Disturbed`](arm_pmu_core::count::CountError::Disturbed). The filter is part of what is compared, and
    /// [Secure observation](Self::secure_observation) where it is needed and can be read.
    #[must_use]
    #[inline]
    pub const fn interference(&self) -> Option<Interference> {
        self.driver.interference()
    }

    /// All registers on the two pages.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> (Page0Registers<'_, P0>, Page1Registers<'_, P1>) {
        let hardware = self.driver.hardware_mut();
        (Page0Registers::new(&mut hardware.page0), Page1Registers::new(&mut hardware.page1))
    }

    /// Gives the buses back. If the PMU was ever started, it stays stopped: CR.E is 0. All else, the
    /// filter and the [interrupt](Self::interrupts) included, stays as it was set.
    pub fn release(self) -> (P0, P1) {
        let Hardware { page0, page1, .. } = self.driver.release();
        (page0, page1)
    }

    /// Clears the overflow flags of all counters, whoever left them: for a handler that is called while
    /// nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too, the latter for the counters in use.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }

    /// The first access that failed, on either page.
    pub(crate) fn error(&self) -> Option<BusError> {
        self.driver.hardware().error()
    }
}

/// What each counter counts. The device is not accessed, so the buses need not be shown.
impl<C: Component, P0, P1> fmt::Debug for Pmu<C, P0, P1> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("counters", &self.driver)
            .field("filter", &self.driver.hardware().filter)
            .field(
                "interrupts",
                &CounterSet::<COUNTERS>::from_bits(self.driver.hardware().interrupts.into(), false)
                    .counters,
            )
            .field(
                "captures",
                &CounterSet::<COUNTERS>::from_bits(self.driver.hardware().captures.into(), false)
                    .counters,
            )
            .finish_non_exhaustive()
    }
}
