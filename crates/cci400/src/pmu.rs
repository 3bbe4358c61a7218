//! The driver while it does not count.

use core::fmt;

use arm_pmu_core::{Bus, Count, Ledger, Lost};

use crate::registers::{Registers, Space};
use crate::{COUNTERS, Counter, Cycles, Divider, Running, Selection};

/// The performance monitoring unit of one CCI-400 of revision 1, stopped.
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
///     Counting(Running<B>),
/// }
///
/// fn overflow_handler<B: Bus<Space = Space>>(shared: &Mutex<Option<Shared<B>>>) {
///     match shared.lock().unwrap().as_mut() {
///         Some(Shared::Counting(running)) => {
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
pub struct Pmu<B> {
    pub(crate) bus: B,
    pub(crate) events: Ledger<Selection, COUNTERS>,
    pub(crate) clock: Ledger<(), 1>,
    pub(crate) timing: WantedAndProgrammed<Timing>,
    /// Which of the selections that a [`Monitor`](arm_pmu_core::Monitor) was assigned is the cycles.
    pub(crate) nth_is_cycles: Option<usize>,
}

/// How cycles are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) divider: Divider,
    pub(crate) needs_niden: bool,
}

/// A setting: what it is to be from the next start on, and what the device was told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedAndProgrammed<T> {
    pub(crate) wanted: T,
    pub(crate) programmed: T,
}

impl<T: Copy> WantedAndProgrammed<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { wanted: value, programmed: value }
    }

    /// The device is about to be told.
    pub(crate) fn begin(&mut self) {
        self.programmed = self.wanted;
    }
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus`, trusting that it is that of a CCI-400 of revision 1: see
    /// [`probe`](Self::probe). On revision 0 the numbers of the master events are others.
    #[must_use]
    pub const fn new(bus: B) -> Self {
        Self {
            bus,
            events: Ledger::new(),
            clock: Ledger::new(),
            timing: WantedAndProgrammed::new(Timing { divider: Divider::By1, needs_niden: false }),
            nth_is_cycles: None,
        }
    }

    /// All four event counters, to say what each counts.
    ///
    /// A counter that is not told otherwise counts what it was told before; at first, nothing.
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
    pub fn counters(&mut self) -> [Counter<'_>; COUNTERS] {
        self.events.counters()
    }

    /// The cycle counter, to say whether it counts. At first it does not.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        let [counter] = self.clock.counters();
        Cycles { counter, divider: &mut self.timing.wanted.divider }
    }

    /// From the next start on, lets the cycle counter stand still while the input NIDEN is LOW, as
    /// the event counters do. At first it does not.
    ///
    /// This is a test for NIDEN: cycles that advance without this, and stand still with it, say that
    /// NIDEN is LOW.
    pub fn cycles_need_niden(&mut self, yes: bool) {
        self.timing.wanted.needs_niden = yes;
    }

    /// Counts from zero, or from where the counters were told.
    ///
    /// All counters are released by one write, which has reached the device when this returns.
    ///
    /// Events are only counted while NIDEN is HIGH, and Secure events that are not
    /// [exempt](crate::Event::secure_exempt) only if SPNIDEN is HIGH as well. These are inputs of the
    /// CCI-400, which software cannot read there; see [`cycles_need_niden`](Self::cycles_need_niden).
    pub fn start(mut self) -> Running<B> {
        self.begin();
        Running::new(self)
    }

    /// Goes on counting what was counted before [`Running::stop`], from where the counters stand.
    ///
    /// What was [lost](Self::lost) or overflowed stays so. What the counters were told meanwhile waits
    /// for the next start. If there was no start yet, this is one.
    pub fn resume(mut self) -> Running<B> {
        if self.events.started() {
            self.enable();
        } else {
            self.begin();
        }
        Running::new(self)
    }

    /// What the event counters held when they were stopped, one for one with
    /// [`counters`](Self::counters).
    ///
    /// [`Count::NOTHING`] of a counter that did not count.
    #[must_use]
    pub const fn counts(&self) -> [Count; COUNTERS] {
        self.events.counts()
    }

    /// What the cycle counter held when it was stopped, in units of the [`Divider`] that it was started
    /// with. [`Count::NOTHING`] if it did not count.
    #[must_use]
    pub const fn cycles(&self) -> Count {
        let [cycles] = self.clock.counts();
        cycles
    }

    /// What was not as set since the last [`start`](Self::start), if anything: somebody else changed
    /// it, or the device did not take it. The cycle counter has the number
    /// [`Lost::CYCLE_COUNTER`]. The counts concerned are [`Inexact::Lost`](crate::Inexact::Lost).
    #[must_use]
    pub fn lost(&self) -> Option<Lost> {
        let (events, clock) = (self.events.lost(), self.clock.lost());
        let counters = |lost: Option<Lost>| lost.map_or(0, |lost| lost.counters);
        let disabled = |lost: Option<Lost>| lost.is_some_and(|lost| lost.disabled);
        Lost::new(
            counters(events) | counters(clock) << Lost::CYCLE_COUNTER,
            disabled(events) || disabled(clock),
        )
    }

    /// All registers of the device.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.bus)
    }

    /// Gives the bus back. If the PMU was ever started, it stays stopped.
    pub fn release(self) -> B {
        self.bus
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu")
            .field("events", &self.events)
            .field("clock", &self.clock)
            .field("timing", &self.timing)
            .finish_non_exhaustive()
    }
}
