//! `cargo xtask arm`: builds programs for Arm, and tests them on QEMU.

mod binaries;
mod build;
mod core_library;
mod emulated;
mod image;
mod libraries;
mod missing;
mod qemu;
mod toolchain;

use std::path::Path;

use anyhow::Result;
use clap::Subcommand;

pub use binaries::make as make_binaries;
pub use build::{build, check as check_build};
pub use libraries::{check as check_libraries, test as test_libraries};
pub use missing::{or_skip, skip};
pub use qemu::{test as test_images, usable as qemu_is_usable};
pub use toolchain::Toolchain;

#[derive(Subcommand)]
pub enum Task {
    /// Build the library crates and the test images for bare-metal Arm targets
    Build,
    /// Run the test images on QEMU
    Test {
        /// Only this image; `cost` compares instruction counts with assembly
        image: Option<String>,
    },
    /// Run the tests of the library crates as 32-bit Arm and AArch64 programs, on QEMU
    TestLibs,
    /// Build the command `arm-pmu` as static programs for Linux on AArch64, ARMv7 and ARMv6, and test them on QEMU
    Binaries,
}

/// # Errors
///
/// Returns an error if the task fails.
pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Build => build(root),
        Task::Test { image } => test_images(root, image.as_deref()),
        Task::TestLibs => test_libraries(root),
        Task::Binaries => make_binaries(root),
    }
}
