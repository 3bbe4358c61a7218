//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::count::Count;
use arm_pmu_core::driver::Driver;
use arm_pmu_core::driver::{Clock, Counter};
use arm_pmu_core::measure::Interference;

use crate::COUNTERS;
use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::revision::{Revision, Running};
use arm_pmu_core::driver::Cycles;

/// The performance monitoring unit of one CCI-400, stopped. Use it as [`cci400::Pmu`](crate::Pmu), which
/// is that of revision 1, or as [`cci400::r0::Pmu`](crate::r0::Pmu).
///
/// Choose what to count with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter),
/// [`start`](Self::start), let the work be done, [`stop`](Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// Nothing is written to the device before `start`, which writes everything that it relies on and
/// clears what firmware or an earlier owner left behind.
///
/// # Interrupts
///
/// A counter that overflows asserts its interrupt output, it is taken, until it is
/// [acknowledged](Running::acknowledge); the CCI-400 is not known to have a mask. `stop` acknowledges too. Where a
/// handler shares the driver, call `start` and `stop` with interrupts disabled: in between, the
/// handler would find no [`Running`].
///
/// ```
/// use std::sync::Mutex; // in firmware: a critical section
/// use cci400::{Bus, Pmu, Running, registers::Space};
///
/// /// What main program and handler share.
/// enum Shared<B> {
///     Stopped(Pmu<B>),
///     RunningMonitor(Running<B>),
/// }
///
/// fn overflow_handler<B: Bus<Space = Space>>(shared: &Mutex<Option<Shared<B>>>) {
///     match shared.lock().unwrap().as_mut() {
///         Some(Shared::RunningMonitor(running)) => {
///             let overflowed = running.acknowledge();
///             // Which counters? Act on it.
///             # let _ = overflowed;
///         }
///         // Left over: nothing counts.
///         Some(Shared::Stopped(pmu)) => pmu.acknowledge_all(),
///         None => {}
///     }
/// }
/// # let device = arm_pmu_sim::Cci400::new();
/// # let shared = Mutex::new(Some(Shared::Stopped(Pmu::new(device.bus()))));
/// # overflow_handler(&shared);
/// ```
pub struct Pmu<R: Revision, B> {
    pub(crate) driver: Driver<Hardware<R, B>, R::Selection, COUNTERS, Clock>,
}

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Takes over the PMU behind `bus`, trusting that it is that of a CCI-400 of this revision: see
    /// [`probe`](Self::probe). The other one has other numbers for its master events; what those of this
    /// one count there is not documented.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// All four event counters, to say what each counts.
    ///
    /// Each keeps its selection until that is changed; at first, all are off.
    /// From the next start on, [selections](arm_pmu_core::measure::RunningMonitor::counter_of) are in the order of the
    /// counters, the cycles last, in whatever order they were [assigned](arm_pmu_core::measure::Monitor::assign) before.
    ///
    /// ```
    /// use cci400::{Divider, M0, MasterEvent, Pmu, S3, SlaveEvent};
    /// # let device = arm_pmu_sim::Cci400::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// let [reads, hazards, ..] = pmu.counters();
    /// reads.count(S3.event(SlaveEvent::ReadRequestAny));
    /// hazards.count(M0.event(MasterEvent::AddressHazardStall));
    /// pmu.cycle_counter().count(Divider::By64);
    /// ```
    pub fn counters(&mut self) -> [Counter<'_, R::Selection>; COUNTERS] {
        // Not in a loop, which would need them in memory.
        let [a, b, c, d] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into()]
    }

    /// Counter `n`, from 0 as in [`counters`](Self::counters), to say what it counts. `None` if there is no
    /// counter `n`.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, R::Selection>> {
        self.driver.counter(n)
    }

    /// The cycle counter, to say whether it counts. At first it does not.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        self.driver.cycle_counter()
    }

    /// From the next start on, lets the cycle counter stand still while the input NIDEN is LOW, as
    /// the event counters do. At first it does not.
    ///
    /// This is a test for NIDEN: cycles that advance without this, and stand still with it, say that
    /// NIDEN is LOW.
    pub fn cycles_need_niden(&mut self, yes: bool) {
        self.driver.cycles_need_debug(yes);
    }

    /// Counts from zero, or from where the counters were told.
    ///
    /// All counters are released by one write, which has reached the device when this returns.
    ///
    /// Events are only counted while NIDEN is HIGH, and Secure events that are not
    /// [exempt](arm_pmu_core::event::Event::secure_exempt) only if SPNIDEN is HIGH as well. These are inputs of the
    /// CCI-400, which software cannot read there; see [`cycles_need_niden`](Self::cycles_need_niden).
    #[inline(always)]
    pub fn start(mut self) -> Running<R, B> {
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
    pub fn resume(mut self) -> Running<R, B> {
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
        [count(0), count(1), count(2), count(3)]
    }

    /// What the cycle counter held when it was stopped, in units of the [`Divider`](arm_pmu_core::driver::Divider) that it was started
    /// with. [`Count::NOT_COUNTED`] if it did not count.
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

    /// All registers of the device.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Gives the bus back. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }

    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<R: Revision, B> fmt::Debug for Pmu<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("counters", &self.driver).finish_non_exhaustive()
    }
}
