//! Shared code of the test images: start-up code, exceptions, a console, and checks.
//!
//! An image is a program of `src/bin` that names its checks with `image!`. An image runs on a
//! machine of QEMU and prints one line for each check by semihosting; its exit status is the number
//! of failed checks.
//!
//! Start-up code and exceptions are for targets without an operating system. The checks of ARMv7
//! cores also build for hosts, where they run on a simulated device, so emulator and simulator pass
//! the same checks.
#![cfg_attr(target_os = "none", no_std)]

#[cfg(all(target_os = "none", target_arch = "aarch64"))]
pub mod aarch64;
#[cfg(all(target_os = "none", target_arch = "arm"))]
pub mod arm;
#[cfg(not(all(target_os = "none", target_arch = "aarch64")))]
pub mod armv7;
mod checks;
mod console;
#[cfg(target_os = "none")]
mod image;

pub use checks::Checks;
pub use console::{Console, print_line};
