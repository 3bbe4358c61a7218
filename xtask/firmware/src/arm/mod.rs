//! Code for 32-bit Arm, ARMv6 and ARMv7-A: Arm instructions, with the MMU off.

mod bus;
mod start;
mod undefined;
mod user_mode;
mod vectors;

pub use bus::bus;
pub use undefined::undefined;
pub use user_mode::in_user_mode;
