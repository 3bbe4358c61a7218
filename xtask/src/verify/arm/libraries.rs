//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7, whose word size differs from
//! the host's, and on AArch64.

use std::path::Path;

use anyhow::Result;

use super::emulated::{AARCH64, ARMV7, Level, System};
use super::missing::or_skip;
use crate::verify::crates;

/// Builds and runs the tests for each target. A missing tool is printed; in CI, it is an error.
///
/// # Errors
///
/// Returns an error if a test does not build, fails, or exceeds the time limit.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], Level::Optimized, &crates::on_target(root)?)
}

/// Runs the tests of CI: on ARMv7 only, of the one crate whose code depends on the target.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7], Level::AsOnHost, &["arm-pmu-core".to_owned()])
}

fn test_on(root: &Path, systems: &[System], level: Level, packages: &[String]) -> Result<()> {
    let mut selected = vec!["--tests".to_owned()];
    selected.extend(packages.iter().flat_map(|name| ["--package".to_owned(), name.clone()]));
    // Most registry packages generate random cases; optimizing them takes longer than running them.
    let as_is = ["--config", "profile.dev.package.\"*\".opt-level=0"];
    selected.extend(as_is.map(str::to_owned));
    for system in systems {
        if let Some(toolchain) = or_skip(system.target, system.toolchain(root))? {
            outln!("{}", system.target);
            system.test(root, &toolchain, &selected, level)?;
        }
    }
    Ok(())
}
