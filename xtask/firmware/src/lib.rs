//! What the test images share: start-up code, exceptions, a console, and checks.
//!
//! An image is a program of `src/bin` that names its checks with `image!`. It runs on a machine of
//! QEMU, prints one line for each check by semihosting, and its exit status is the number of checks
//! that failed.
//!
//! Everything here is for targets without an operating system. Elsewhere this crate is empty, so
//! that `cargo test --workspace` and the like need not leave it out.
#![cfg_attr(target_os = "none", no_std)]

#[cfg(all(target_os = "none", target_arch = "aarch64"))]
mod aarch64;
#[cfg(all(target_os = "none", target_arch = "arm"))]
pub mod arm;
#[cfg(target_os = "none")]
mod checks;
#[cfg(target_os = "none")]
mod console;
#[cfg(target_os = "none")]
mod image;
#[cfg(target_os = "none")]
mod semihosting;

#[cfg(target_os = "none")]
pub use checks::Checks;
#[cfg(target_os = "none")]
pub use console::print_line;

#[cfg(all(target_os = "none", target_arch = "aarch64"))]
use aarch64 as architecture;
#[cfg(all(target_os = "none", target_arch = "arm"))]
use arm as architecture;
