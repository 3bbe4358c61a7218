//! The PMU of an ARM1136.
//!
//! [Example](crate#how-to)

use arm_pmu_core::bus::Bus;

use self::registers::Registers;
use crate::Space;
pub use crate::generated::arm1136::events::{Arm1136Event, Selection};
pub use crate::generated::arm1136::findings::Finding;
pub use crate::generated::arm1136::{events, metrics, registers};

/// The stopped PMU of an ARM1136.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1136, B>;

/// The running PMU of an ARM1136.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1136, B>;

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
    /// use arm11::arm1136::Pmu;
    /// # let device = arm_pmu_sim::Arm11::arm1136();
    /// let mut pmu = Pmu::new(device.bus());
    /// assert!(!pmu.registers().pmnc().read().e().bit(), "it does not count");
    /// ```
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }
}
