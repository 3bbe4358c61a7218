//! The command `arm-pmu` on other systems than Linux, as far as that can be checked without a linker for them.

use std::path::Path;

use anyhow::Result;

use crate::verify::arm::{Toolchain, or_skip};

/// Windows and macOS.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"];

/// Has the compiler check the command for each. Names missing tools; in CI, they are an error.
///
/// # Errors
///
/// If it does not compile.
pub fn check(root: &Path) -> Result<()> {
    for target in TARGETS {
        if let Some(toolchain) = or_skip(target, Toolchain::to_check(target))? {
            toolchain.cargo(root, "check", &["--package", "arm-pmu-cli"]).run()?;
        }
    }
    Ok(())
}
