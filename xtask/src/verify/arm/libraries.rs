//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7, whose words differ from the
//! host's, and on AArch64.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::emulated::{AARCH64, ARMV7, Level, System};
use super::missing::or_skip;
use crate::verify::crates;

/// The only target in the manifest of a crate for AArch64.
const OF_AARCH64: &str = "aarch64-unknown-none";

/// Builds and runs the tests for each target. A missing tool is printed; in CI, it is an error.
///
/// # Errors
///
/// Returns an error if a test does not build, fails, or exceeds the time limit.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], Level::Optimized, &crates::on_target(root)?)
}

/// Runs the tests of CI, on ARMv7 only.
///
/// Omits the facade: its tests double the time. Omits crates for AArch64, and all crates but one of each template:
/// their tests compare tables, which are the same on each target.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    let mut packages = crates::without_repeated(root, crates::on_target(root)?)?;
    packages.retain(|package| package != "arm-pmu");
    for package in crates::packages(root)? {
        if package.metadata["docs"]["rs"]["targets"] == json!([OF_AARCH64]) {
            packages.retain(|name| *name != package.name);
        }
    }
    test_on(root, &[ARMV7], Level::AsOnHost, &packages)
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
