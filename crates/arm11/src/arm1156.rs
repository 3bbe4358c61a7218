//! The PMU of an ARM1156.
//!
//! [Example](crate#how-to)

use arm_pmu_core::bus::Bus;

use self::registers::Registers;
use crate::Space;
pub use crate::generated::arm1156::events::{Arm1156Event, Selection};
pub use crate::generated::arm1156::findings::Finding;
pub use crate::generated::arm1156::{events, metrics, registers};

/// The stopped PMU of an ARM1156.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1156, B>;

/// The running PMU of an ARM1156.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1156, B>;

/// Access to one event counter, to select its event.
///
/// Returned by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Returns access to all registers of the PMU.
    ///
    /// Writes to the registers cannot break memory safety, but can make counts wrong.
    ///
    /// ```
    /// use arm11::arm1156::Pmu;
    /// # let device = arm_pmu_sim::Arm11::arm1156();
    /// let mut pmu = Pmu::new(device.bus());
    /// assert!(!pmu.registers().pmnc().read().e().bit(), "it does not count");
    /// ```
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }
}
