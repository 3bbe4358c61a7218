//! The stopped driver.

use core::fmt;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::{Driver, ProbeError, ProbeErrorKind};

use crate::events::COUNTERS;
use crate::hardware::{ALL_COUNTERS, Hardware};
use crate::registers::{Registers, Space};
use crate::{Clock, Counters, Selection};

/// The stopped performance monitoring unit (PMU) of the current core's cluster.
///
/// Select events with [`counters`](Self::counters) and [`cycle_counter`](Self::cycle_counter), call
/// [`start`](Self::start), run the work, call [`stop`](crate::Running::stop), and read
/// [`counts`](Self::counts) and [`cycles`](Self::cycles).
///
/// The PMU counts the traffic of all cores of the cluster, but only one of these cores may use the PMU: see the
/// [overview](crate#one-core-of-the-cluster).
pub struct Pmu<B = crate::Sysreg> {
    pub(crate) driver: Driver<Hardware<B>, Selection, COUNTERS, Clock, u64>,
}

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus` without checking it.
    ///
    /// [`probe`](Self::probe) checks the number of counters first.
    #[must_use]
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        Self { driver: Driver::with_cycle_counter(Hardware::new(bus)) }
    }

    /// Takes over the PMU behind `bus` if the PMU has 6 event counters.
    ///
    /// The check only reads CLUSTERPMCR_EL1. This read is allowed even where writes cause exceptions.
    ///
    /// # Errors
    ///
    /// The error contains the bus, and the number of counters that was found.
    pub fn probe(bus: B) -> Result<Self, ProbeError<B>> {
        let found = number_of_counters(&bus);
        let reason = match bus.error() {
            Some(error) => ProbeErrorKind::BusError(error),
            None if usize::from(found) == COUNTERS => return Ok(Self::new(bus)),
            None => ProbeErrorKind::Counters { found, expected: COUNTERS as u8 },
        };
        Err(ProbeError::new(reason, bus))
    }

    /// Returns access to all registers of the PMU.
    ///
    /// Writes to the registers cannot break memory safety, but can make counts wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Returns whether the cluster has an event; `None` for events from 0x40 on, which no register reports.
    ///
    /// Depending on the product, bit n of CLUSTERPMCEID0_EL1\[63:32\] or of CLUSTERPMCEID1_EL1\[31:0\] reports event
    /// 0x20 + n. For these events, Linux uses only CLUSTERPMCEID1_EL1.
    ///
    /// ```
    /// use dsu::{DsuEvent, Pmu};
    ///
    /// # let device = arm_pmu_sim::Dsu::new();
    /// let pmu = Pmu::new(device.bus());
    /// assert_eq!(pmu.has_event(DsuEvent::L3dCache), Some(true));
    /// assert_eq!(pmu.has_event(DsuEvent::Chain), Some(false));
    /// ```
    pub fn has_event(&self, event: impl Into<Selection>) -> Option<bool> {
        let registers = Registers::shared(&self.driver.hardware().bus);
        let code = u16::from(event.into());
        let first = registers.clusterpmceid0_el1().read();
        let events = match code {
            0x00..=0x1F => first.events().bits(),
            0x20..=0x3F => {
                first.second().bits() | registers.clusterpmceid1_el1().read().events().bits()
            }
            _ => return None,
        };
        Some(events >> (code & 0x1F) & 1 == 1)
    }

    /// Selects the counters whose overflow asserts nCLUSTERPMUIRQ after the next start.
    ///
    /// By default, no counter asserts the interrupt. The interrupt stays asserted until it is
    /// [acknowledged](crate::Running::acknowledge). `stop` also acknowledges the interrupt.
    pub fn interrupts(&mut self, counters: Counters) {
        self.driver.hardware_mut().interrupting = counters.word();
    }

    /// Clears the overflow flags of all counters, which deasserts the interrupt.
    ///
    /// Use this in an interrupt handler that runs while the PMU is stopped.
    pub fn acknowledge_all(&mut self) {
        self.driver.hardware_mut().clear_flags(ALL_COUNTERS);
    }

    /// Returns the bus. If the PMU was started before, it remains stopped.
    pub fn release(self) -> B {
        self.driver.release().bus
    }
}

pub(crate) fn number_of_counters<B: Bus<Space = Space>>(bus: &B) -> u8 {
    Registers::shared(bus).clusterpmcr_el1().read().n().bits()
}

/// Prints the event of each counter.
///
/// Printing does not access the device and needs no `Debug` of the bus.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pmu").field(&self.driver).finish()
    }
}
