//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{Clock, CounterSet, Driver};

use crate::COUNTERS;
use crate::hardware::Hardware;
use crate::registers::{Registers, Space};
use crate::revision::Revision;

/// The stopped performance monitoring unit (PMU) of one CCI-400.
///
/// The type is available as [`cci400::Pmu`](crate::Pmu) for revision 1, and as
/// [`cci400::r0::Pmu`](crate::r0::Pmu) for revision 0.
///
/// Select events with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter), call
/// [`start`](Self::start), run the work, call [`stop`](crate::Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
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
///
/// Before `start`, only a diagnosis, [`acknowledge_all`](Self::acknowledge_all) and
/// [`registers`](Self::registers) write to the device. `start` writes every register on which the
/// measurement depends, and clears the state that firmware or an earlier owner left.
///
/// # Interrupts
///
/// A counter that overflows is assumed to assert its interrupt output until the overflow is
/// [acknowledged](crate::Running::acknowledge). The CCI-400 has no known mask for this interrupt. `stop`
/// also acknowledges overflows. If an interrupt handler shares the driver, call `start` and `stop` with
/// interrupts disabled. Both calls take the driver by value, so the handler would find no driver
/// meanwhile.
///
/// ```
/// use std::sync::Mutex; // in firmware: a critical section
/// use cci400::{Bus, Pmu, Running, registers::Space};
///
/// /// State shared by the main program and the interrupt handler.
/// enum Shared<B> {
///     Stopped(Pmu<B>),
///     Counting(Running<B>),
/// }
///
/// fn overflow_handler<B: Bus<Space = Space>>(shared: &Mutex<Option<Shared<B>>>) {
///     match shared.lock().unwrap().as_mut() {
///         Some(Shared::Counting(running)) => {
///             let overflowed = running.acknowledge();
///             // Act on the counters that overflowed.
///             # let _ = overflowed;
///         }
///         // A late interrupt: the PMU is stopped.
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

/// Overflow flags that a call found set, and then cleared.
///
/// [`acknowledge`](crate::Running::acknowledge) returns them.
pub type Overflows = CounterSet<COUNTERS>;

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Takes over the PMU behind `bus` without checking part and revision.
    ///
    /// [`probe`](Self::probe) checks both. The master events of the two revisions have different numbers. No document
    /// states what this revision's numbers select on a part of the other revision.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// Makes the cycle counter stop while NIDEN is LOW, as event counters do.
    ///
    /// The setting takes effect at the next start, and is off at first.
    ///
    /// The setting can be used to test NIDEN: if the cycle counter runs without the setting and
    /// stops with it, NIDEN is LOW.
    pub fn cycles_need_niden(&mut self, yes: bool) {
        self.driver.cycles_need_debug(yes);
    }

    /// Returns access to all registers of the device.
    ///
    /// Writes to the registers cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Returns the bus. If the PMU was started before, it remains stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }

    /// Clears the overflow flags of all counters, which deasserts the interrupts.
    ///
    /// Use this in an interrupt handler that runs while the PMU is stopped.
    ///
    /// `start` and [`stop`](crate::Running::stop) also clear these flags.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().acknowledge_all();
    }
}

/// Prints the event of each counter.
///
/// Printing does not access the device and needs no `Debug` of the bus.
impl<R: Revision, B> fmt::Debug for Pmu<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("counters", &self.driver).finish_non_exhaustive()
    }
}
