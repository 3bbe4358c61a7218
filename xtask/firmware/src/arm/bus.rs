//! The bus of an ARMv7 PMU.

use cortex_a8::Cp15;

/// Creates the bus.
#[must_use]
pub fn bus() -> Cp15 {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core. In User mode, the checks expect undefined instructions.
    unsafe {
        Cp15::new()
    }
}
