//! Behavior of the PMU of an ARMv7 core, seen through its driver, in any [`World`] that has one.
//!
//! On QEMU this runs as an image, on a host on the simulated device. The README lists the
//! differences, and says which behavior the manual supports.

use arm_pmu_core::bus::Bus;

/// A machine that has a core with an ARMv7 PMU.
pub trait World {
    /// The way to its PMU.
    type Bus: Bus<Space = ::cortex_a8::Space>;

    /// The Main ID Register.
    fn main_id(&self) -> u32;

    /// The number of the event that counts instructions here.
    fn instruction(&self) -> u16;

    /// The bus, for privileged software. There is one at a time.
    fn bus(&self) -> Self::Bus;

    /// Executes `instructions` (even) one-cycle instructions, plus a constant overhead.
    fn work(&self, instructions: u32);

    /// Does something in User mode.
    fn in_user_mode<R>(&self, work: impl FnOnce(Self::Bus) -> R) -> R;

    /// One access in User mode. `None` if it was undefined.
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
