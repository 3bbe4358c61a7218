//! Code for AArch64 at EL1, EL2 or EL3, with the MMU off.

mod start;
mod user;
mod vectors;
mod work;

pub use user::at_el0;
pub use work::{exception_level, has_el2, sleep, with_mdcr_el2, with_mdcr_el3};
