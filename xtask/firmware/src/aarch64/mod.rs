//! AArch64: EL1, EL2 or EL3, MMU off.

pub(crate) mod semihosting;
mod start;
mod vectors;
mod work;

pub use work::{
    exception_level, has_el2, permit_secure_counting, spin, with_mdcr_el2, with_mdcr_el3,
};
