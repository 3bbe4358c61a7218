//! Checks the command `arm-pmu` for systems other than Linux, without a linker for them.

use std::path::Path;

use anyhow::Result;

use crate::verify::arm::{Toolchain, or_skip};

/// Windows and macOS.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"];

/// Runs the compiler's checks on the command for each system. A missing tool is printed; in CI, it
/// is an error.
///
/// # Errors
///
/// Returns an error if the command does not compile.
pub fn check(root: &Path) -> Result<()> {
    for target in TARGETS {
        if let Some(toolchain) = or_skip(target, Toolchain::to_check(target))? {
            toolchain.cargo(root, "check", &["--package", "arm-pmu-cli"]).run()?;
        }
    }
    Ok(())
}
