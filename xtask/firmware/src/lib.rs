//! Shared code of the test images: start-up code, exceptions, a console, and checks.
//!
//! An image is a program of `src/bin` that names its checks with `image!`. An image runs on a
//! machine of QEMU and prints one line for each check by semihosting; its exit status is the number
//! of failed checks.
//!
//! With an operating system, this library is empty.
#![cfg(target_os = "none")]
#![no_std]

#[cfg(target_arch = "aarch64")]
pub mod aarch64;
#[cfg(target_arch = "arm")]
pub mod arm;
mod checks;
pub mod counting;
mod image;
mod work;

#[cfg(target_arch = "aarch64")]
pub use aarch64::bus;
#[cfg(target_arch = "arm")]
pub use arm::bus;
pub use checks::{Checks, Console};
pub use image::run;
pub use work::{TURN, spin};
