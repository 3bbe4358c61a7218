//! The PMU of an ARM1176.

use arm_pmu_core::bus::Bus;

use self::registers::Registers;
use crate::Space;
pub use crate::generated::arm1176::events::{Arm1176Event, Selection};
pub use crate::generated::arm1176::findings::Finding;
pub use crate::generated::arm1176::{events, metrics, registers};

/// The PMU of an ARM1176, stopped.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1176, B>;

/// The PMU of an ARM1176, counting.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1176, B>;

/// One event counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

impl<B: Bus<Space = Space>> Pmu<B> {
    /// All registers of the PMU.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
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

    /// Opens the PMU to User mode, or closes it, at once: bit V of the Secure User and Non-secure Access
    /// Validation Control Register (c15, c9, 0). For software in a privileged mode.
    ///
    /// User mode then reaches the control register and the counters, so this driver works there too, with
    /// [`Pmu::new`](crate::Pmu::new). While it is closed, an access from User mode is an undefined instruction.
    /// User mode cannot read the bit. Other cores of this crate have no such register: see the README.
    ///
    /// Confidence B: Genode, FreeBSD and a kernel of Intel set the bit so.
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
