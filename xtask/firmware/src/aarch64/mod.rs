//! Code for AArch64 at EL1, EL2 or EL3, with the MMU off.

mod level;
mod start;
mod user;
mod vectors;

pub use level::{exception_level, has_el2, with_mdcr_el2, with_mdcr_el3};
pub use user::at_el0;

/// Creates the bus of a core with PMUv3.
#[must_use]
pub fn bus() -> arm_pmuv3::Sysreg {
    #[allow(unsafe_code)]
    // SAFETY: there is one core, at EL1 or above, and each driver ends before the next is created.
    unsafe {
        arm_pmuv3::Sysreg::new()
    }
}
