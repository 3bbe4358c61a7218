//! Pairs of functions that do the same: one with the crates of this workspace, the other written by hand, with a
//! volatile access or an instruction for each access. `cargo xtask asm` compiles them for each target and compares what
//! comes out.
//!
//! `NAME` is ours, and `NAME_by_hand` is the other one. Which cases there are, and how much longer
//! ours may be, is said in `xtask/src/verify/asm/cases.rs`.
//!
//! Those by hand lie in a section of their own: functions that are the same are one otherwise, and
//! there would be nothing left to compare.
//!
//! | file | what |
//! |---|---|
//! | `hand.rs` | the accesses of the versions by hand |
//! | `*_registers.rs` | single accesses |
//! | `cci550_driver.rs`, `cortex_a53_driver.rs`, `cortex_a8_driver.rs` | methods of the drivers |
//! | `cci550_by_hand.rs`, `cortex_a53_by_hand.rs`, `cortex_a8_by_hand.rs`, `reading.rs` | drivers by hand |
#![cfg_attr(not(test), no_std)]

mod cci550_by_hand;
mod cci550_driver;
mod cci550_registers;
mod hand;
mod mmu600_registers;
mod reading;

#[cfg(target_arch = "arm")]
mod arm11_registers;
#[cfg(any(target_arch = "aarch64", test))]
mod cortex_a53_by_hand;
#[cfg(target_arch = "aarch64")]
mod cortex_a53_driver;
#[cfg(target_arch = "aarch64")]
mod cortex_a53_registers;
#[cfg(any(target_arch = "arm", test))]
mod cortex_a8_by_hand;
#[cfg(target_arch = "arm")]
mod cortex_a8_driver;
#[cfg(target_arch = "arm")]
mod cortex_a8_registers;

#[cfg(test)]
mod tests;
