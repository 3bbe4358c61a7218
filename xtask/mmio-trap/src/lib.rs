//! Answers the loads and stores of a real [`Mmio`](arm_pmu_core::bus::Mmio) from a simulated device.
//!
//! The registers are addresses without access permission ([`Registers`]). Each load or store of the `Mmio` faults;
//! the signal handler decodes the instruction, passes the access to the [`Device`] and continues after
//! the instruction. So the instructions of the `Mmio` are executed, and the device sees their
//! accesses.
//!
//! `cargo xtask arm test-mmio` compiles `arm-pmu-sim` with `--cfg arm_pmu_trap`. Its buses then use
//! this crate.
//!
//! [`Device`] and [`Registers`] are for Linux on AArch64 and 32-bit Arm.

pub mod decode;

#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "arm")))]
mod processor;
#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "arm")))]
mod registers;
#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "arm")))]
mod trap;

#[cfg(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "arm")))]
pub use {registers::Registers, trap::Device};
