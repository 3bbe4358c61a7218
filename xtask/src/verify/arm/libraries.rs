//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7, whose word size differs from
//! the host's, and on AArch64.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::emulated::{AARCH64, ARMV7, System};
use super::missing::or_skip;
use crate::verify::crates;

/// Time limit for building and running the tests of a system.
const LIMIT: Duration = Duration::from_secs(1_800);

/// Builds and runs the tests for each target: optimized, so that exhaustive and random tests do not take minutes. A
/// missing tool is printed; in CI, it is an error.
///
/// # Errors
///
/// Returns an error if a test does not build, fails, or exceeds the time limit.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], true, &crates::on_target(root)?)
}

/// Runs the tests as CI does: only on ARMv7, and only for `arm-pmu-core`, the one crate whose code depends on the
/// target. Its tests are short, so they are not optimized.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7], false, &["arm-pmu-core".to_owned()])
}

fn test_on(root: &Path, systems: &[System], optimized: bool, packages: &[String]) -> Result<()> {
    // Most registry packages generate random cases; optimizing them takes longer than running them.
    let mut arguments = vec!["--tests", "--config", "profile.dev.package.\"*\".opt-level=0"];
    arguments.extend(packages.iter().flat_map(|name| ["--package", name.as_str()]));
    arguments.extend(["--", "--quiet"]);
    for system in systems {
        let Some(toolchain) = or_skip(system.target, system.toolchain(root))? else { continue };
        outln!("{}", system.target);
        let runner = format!("{} -L {}", system.emulator, system.libraries);
        let mut cargo = toolchain.cargo(root, "test", &arguments);
        cargo = cargo.env(&toolchain.variable("RUNNER"), runner);
        if optimized {
            cargo = cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
            cargo = cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
        }
        let status = cargo.run_within(LIMIT, |line| outln!("{line}"))?;
        ensure!(status.success(), "{}: a test failed", system.target);
    }
    Ok(())
}
