//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7 with words of another size than the
//! host's, and on AArch64.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use super::emulated::{AARCH64, ARMV7, Level, System};
use super::missing::or_skip;
use crate::generate::load;
use crate::generate::model::Space;
use crate::output::outln;
use crate::verify::crates;

/// Builds and runs the tests for each target. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], Level::Optimized, &crates::on_target(root)?)
}

/// Runs the tests of CI: the core's and the CP15 drivers', on ARMv7. [`trapped`](super::trapped) runs the
/// memory-mapped drivers there.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7], Level::AsOnHost, &of_cp15(root)?)
}

/// The core, and the crates of the IPs and architectures whose registers CP15 has.
fn of_cp15(root: &Path) -> Result<Vec<String>> {
    let mut names = BTreeSet::from(["arm-pmu-core".to_owned()]);
    for ip in load::load(root, &[])?.ips.into_iter().filter(|ip| matches!(ip.space, Space::Cp15)) {
        names.extend(ip.architecture.map(|architecture| architecture.name));
        names.insert(ip.name);
    }
    Ok(names.into_iter().collect())
}

fn test_on(root: &Path, systems: &[System], level: Level, packages: &[String]) -> Result<()> {
    let mut selected = vec!["--tests".to_owned()];
    selected.extend(packages.iter().flat_map(|name| ["--package".to_owned(), name.clone()]));
    // Most registry packages make random cases; optimizing them takes longer than running them.
    let as_is = ["--config", "profile.dev.package.\"*\".opt-level=0"];
    selected.extend(as_is.map(str::to_owned));
    for system in systems {
        if let Some(toolchain) = or_skip(system.target, system.toolchain(root))? {
            outln!("{}", system.target);
            system.test(root, &toolchain, &selected, level, |_| ())?;
        }
    }
    Ok(())
}
