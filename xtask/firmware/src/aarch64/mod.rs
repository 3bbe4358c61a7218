//! AArch64: EL1, MMU off.

pub(crate) mod semihosting;
mod start;
mod vectors;
