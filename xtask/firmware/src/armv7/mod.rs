//! Behaviour of the PMU of an ARMv7 core, tested through its driver in any [`World`].
//!
//! On QEMU, these checks run as an image; on a host, on the simulated device. The README lists the
//! differences, and states which behaviour the manual supports.

use arm_pmu_core::bus::Bus;

/// A machine with a core that has an ARMv7 PMU.
pub trait World {
    /// Bus to the PMU of the core.
    type Bus: Bus<Space = ::cortex_a8::Space>;

    /// Returns the Main ID Register.
    fn main_id(&self) -> u32;

    /// Returns the number of the event that counts instructions on this machine.
    fn instruction(&self) -> u16;

    /// Returns the bus for privileged software. Only one such bus exists at a time.
    fn bus(&self) -> Self::Bus;

    /// Executes `instructions` (even) one-cycle instructions, plus a constant overhead.
    fn work(&self, instructions: u32);

    /// Runs `work` in User mode.
    fn in_user_mode<R>(&self, work: impl FnOnce(Self::Bus) -> R) -> R;

    /// Makes one access in User mode. Returns `None` if the access was undefined.
    fn access_in_user_mode<R>(&self, access: impl FnOnce(&mut Self::Bus) -> R) -> Option<R>;
}

/// The checks of the Cortex-A7.
pub mod cortex_a7 {
    use ::cortex_a7 as product;
    use product::is_cortex_a7 as is_product;

    include!("checks.rs");
}

/// The checks of the Cortex-A8.
pub mod cortex_a8 {
    use ::cortex_a8 as product;
    use product::is_cortex_a8 as is_product;

    include!("checks.rs");
}

/// The checks of the Cortex-A9.
pub mod cortex_a9 {
    use ::cortex_a9 as product;
    use product::is_cortex_a9 as is_product;

    include!("checks.rs");
}

/// `include!` hides the checks from rustfmt; this module shows them to it.
#[cfg(any())]
mod checks;
