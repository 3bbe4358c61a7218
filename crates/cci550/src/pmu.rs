//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::driver::Driver;
use arm_pmu_core::{Bus, Count, Interference};

use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::{COUNTERS, Counter, Running, Selection};

/// The performance monitoring unit of one CCI-550, stopped.
///
/// Choose what to count with [`counters`](Self::counters), [`start`](Self::start), let the work be
/// done, [`stop`](Running::stop), and read [`counts`](Self::counts).
///
/// Nothing is written to the device before `start`, which writes everything that it relies on and
/// clears what firmware or an earlier owner left behind.
///
/// # Interrupts
///
/// A counter that overflows asserts its interrupt output until it is
/// [acknowledged](Running::acknowledge); the CCI-550 cannot mask it. `stop` acknowledges too. Where a
/// handler shares the driver, call `start` and `stop` with interrupts disabled: in between, the
/// handler would find no [`Running`].
///
/// ```
/// use std::sync::Mutex; // in firmware: a critical section
/// use cci550::{Bus, Pmu, Running, registers::Space};
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
/// # let device = arm_pmu_sim::Cci550::new();
/// # let shared = Mutex::new(Some(Shared::Stopped(Pmu::new(device.bus()))));
/// # overflow_handler(&shared);
/// ```
pub struct Pmu<B> {
    pub(crate) driver: Driver<Hardware<B>, Selection, COUNTERS>,
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus`, trusting that it is one: see [`probe`](Self::probe).
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::new(Hardware { bus }) }
    }

    /// All eight counters, to say what each counts.
    ///
    /// A counter that is not told otherwise counts what it was told before; at first, nothing.
    ///
    /// ```
    /// use cci550::{MasterEvent, MI0, Pmu, SI3, SlaveEvent};
    /// # let device = arm_pmu_sim::Cci550::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// let [reads, beats, ..] = pmu.counters();
    /// reads.count(SI3.event(SlaveEvent::ReadRequestAny));
    /// beats.count(MI0.event(MasterEvent::ReadDataBeat));
    /// ```
    pub fn counters(&mut self) -> [Counter<'_>; COUNTERS] {
        // Not in a loop, which would need them in memory.
        let [a, b, c, d, e, f, g, h] = self.driver.counters_mut();
        [a.into(), b.into(), c.into(), d.into(), e.into(), f.into(), g.into(), h.into()]
    }

    /// Counts from zero, or from where [`Counter::count_from`] said.
    ///
    /// All counters are released by one write, which has reached the device when this returns. The
    /// manual warns that the PMU may be a little off in number and time, which shows if it is
    /// enabled for a very short time only.
    ///
    /// Nothing is counted unless NIDEN is HIGH, and Secure events that are not
    /// [exempt](crate::Event::secure_exempt) are only counted if SPNIDEN is HIGH as well, or both
    /// DBGEN and SPIDEN are. These are inputs of the CCI-550, which software cannot read there.
    #[inline(always)]
    pub fn start(mut self) -> Running<B> {
        // Inlined, so that as a rule nothing is moved.
        self.driver.start();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand.
    ///
    /// What was [lost](Self::interference) or overflowed stays so. What the [`counters`](Self::counters) were
    /// told meanwhile waits for the next start. If nothing was counted before, this is a start.
    #[inline(always)]
    pub fn resume(mut self) -> Running<B> {
        self.driver.resume();
        Running::new(self)
    }

    /// What the counters held when they were stopped, one for one with
    /// [`counters`](Self::counters).
    ///
    /// [`Count::NOT_COUNTED`] of a counter that did not count.
    #[must_use]
    #[inline]
    pub fn counts(&self) -> [Count; COUNTERS] {
        // One by one, so that a count that nobody asks for is no code.
        let count = |number| self.driver.count(number);
        [count(0), count(1), count(2), count(3), count(4), count(5), count(6), count(7)]
    }

    /// What was not as set since the last [`start`](Self::start), if anything: somebody else changed
    /// it, or the device did not take it. The counts concerned are
    /// [`CountError::Disturbed`](crate::CountError::Disturbed).
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
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.driver).finish()
    }
}
