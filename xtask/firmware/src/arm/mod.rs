//! Code for 32-bit Arm, ARMv6 and ARMv7-A: Arm instructions, with the MMU off.

mod start;
mod undefined;
mod user_mode;
mod vectors;

pub use undefined::undefined;
pub use user_mode::in_user_mode;

/// Creates the bus of an ARMv7 PMU.
#[must_use]
pub fn bus() -> cortex_a8::Cp15 {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core. In User mode, the checks expect undefined instructions.
    unsafe {
        cortex_a8::Cp15::new()
    }
}
