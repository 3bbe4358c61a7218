//! AArch64: EL1, EL2 or EL3, MMU off.

pub(crate) mod semihosting;
mod start;
mod vectors;
mod work;

pub use work::{exception_level, permit_secure_counting, spin};
