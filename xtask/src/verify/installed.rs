//! The command `arm-pmu` of a new user: installed as its README says, used from an empty directory.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::cargo;
use crate::verify::{arm, built};

const README: &str = "crates/arm-pmu-cli/README.md";

/// How the README installs it from a checkout.
const INSTALL: &str = "cargo install --path crates/arm-pmu-cli";

/// Installs the command and tests it, including all examples of the README.
///
/// # Errors
///
/// If it cannot be installed, or a test fails.
pub fn test(root: &Path) -> Result<()> {
    let lines = documents::read(root, README).shell_lines();
    ensure!(lines.iter().any(|line| line.starts_with(INSTALL)), "{README} has no `{INSTALL}`");
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().to_str().context("a temporary directory that is not UTF-8")?;
    let mut arguments: Vec<_> = INSTALL.split(' ').skip(1).collect();
    // Not optimized, to use the builds of tests.
    arguments.extend(["--quiet", "--debug", "--locked", "--root", place]);
    // The search path has no such directory, and Cargo says so.
    cargo(root, &arguments).run()?;
    let program =
        directory.path().join("bin").join(format!("arm-pmu{}", std::env::consts::EXE_SUFFIX));
    let tests = arm::test_files(&root.join("crates/arm-pmu-cli/tests"))?;
    built::tests(root, tests).env("ARM_PMU_PROGRAM", program).run()
}
