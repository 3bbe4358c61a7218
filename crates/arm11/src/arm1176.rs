//! The PMU of an ARM1176.
//!
//! [Example](crate#how-to)

use arm_pmu_core::bus::Bus;

use self::registers::Registers;
use crate::Space;
pub use crate::generated::arm1176::events::{Arm1176Event, Selection};
pub use crate::generated::arm1176::findings::Finding;
pub use crate::generated::arm1176::{events, metrics, registers};

/// The stopped PMU of an ARM1176.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1176, B>;

/// The running PMU of an ARM1176.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1176, B>;

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
    /// use arm11::arm1176::Pmu;
    /// # let device = arm_pmu_sim::Arm11::arm1176();
    /// let mut pmu = Pmu::new(device.bus());
    /// assert!(!pmu.registers().pmnc().read().e().bit(), "it does not count");
    /// ```
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.driver.hardware_mut().bus)
    }

    /// Immediately permits or forbids access to the PMU from User mode.
    ///
    /// The call writes bit V of the Secure User and Non-secure Access Validation Control Register
    /// (c15, c9, 0). Only software in a privileged mode can call this.
    ///
    /// With permission, User mode can access the control register and the counters, so this driver also works in User
    /// mode; create it with [`Pmu::new`](crate::Pmu::new). Without permission, an access from User mode causes an
    /// Undefined Instruction exception. User mode cannot read bit V. The other cores of this crate have no such
    /// register: see the README.
    ///
    /// Confidence B: Genode, FreeBSD and an Intel kernel set this bit.
    ///
    /// ```
    /// use arm11::arm1176::Pmu;
    /// # let device = arm_pmu_sim::Arm11::arm1176();
    /// # let (bus, user_bus) = (device.bus(), device.user_bus());
    /// let mut kernel = Pmu::new(bus);
    /// kernel.user_access(true);
    /// let mut program = Pmu::new(user_bus);
    /// let pmu = program.start().stop();
    /// # assert_eq!(pmu.interference(), None);
    /// # drop(pmu);
    /// ```
    pub fn user_access(&mut self, open: bool) {
        let register = Registers::shared(&self.driver.hardware().bus).access_validation();
        register.modify(|_, w| w.v().bit(open));
        self.driver.hardware().bus.synchronize();
    }
}
