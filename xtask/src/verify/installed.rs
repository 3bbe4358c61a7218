//! Installs the command `arm-pmu` as its README describes.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::cargo;
use crate::verify::built;

const README: &str = "crates/arm-pmu-cli/README.md";

/// Line of the README that installs the command from a checkout.
const INSTALL: &str = "cargo install --path crates/arm-pmu-cli";

/// Installs the command, and runs all lines of the documents with it.
///
/// # Errors
///
/// Returns an error if the command cannot be installed, or if a test fails.
pub fn test(root: &Path) -> Result<()> {
    let lines = documents::read(root, README).shell_lines();
    ensure!(lines.iter().any(|line| line.starts_with(INSTALL)), "{README} has no `{INSTALL}`");
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().to_str().context("a temporary directory that is not UTF-8")?;
    let mut arguments: Vec<_> = INSTALL.split(' ').skip(1).collect();
    // A debug build uses libraries that the tests have built.
    arguments.extend(["--quiet", "--debug", "--locked", "--root", place]);
    // The directory is not in the search path, so Cargo prints a warning.
    cargo(root, &arguments).run()?;
    let program =
        directory.path().join("bin").join(format!("arm-pmu{}", std::env::consts::EXE_SUFFIX));
    let tests = built::tests(root, ["console"]).arguments(["documented::"]);
    tests.env("ARM_PMU_PROGRAM", program).run()
}
