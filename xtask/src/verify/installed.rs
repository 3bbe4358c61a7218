//! The command `arm-pmu`, as a new user has it: installed as its README says, and used from a directory in which there
//! is nothing.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command::cargo;

const README: &str = "crates/arm-pmu-cli/README.md";

/// How the README says that it is installed.
const INSTALL: &str = "cargo install --path crates/arm-pmu-cli";

/// Installs the command, and tests what was installed: among others, everything that the README shows.
///
/// # Errors
///
/// If it cannot be installed, or a test fails.
pub fn test(root: &Path) -> Result<()> {
    let readme = fs::read_to_string(root.join(README)).context(README)?;
    let line = readme.lines().find(|line| *line == INSTALL);
    let line = line.with_context(|| format!("{README} does not say `{INSTALL}`"))?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().to_str().context("a temporary directory that is not UTF-8")?;
    let mut arguments: Vec<_> = line.split(' ').skip(1).collect();
    // Not optimized, so that what tests have built is used.
    arguments.extend(["--quiet", "--debug", "--locked", "--root", place]);
    // The search path has no such directory, and Cargo says so.
    cargo(root, &arguments).run()?;
    let program =
        directory.path().join("bin").join(format!("arm-pmu{}", std::env::consts::EXE_SUFFIX));
    let tests = ["test", "--quiet", "--package", "arm-pmu-cli", "--test", "*"];
    cargo(root, &tests).env("ARM_PMU_PROGRAM", program).run()
}
