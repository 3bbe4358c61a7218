//! Installs the command `arm-pmu` as its README describes.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::cargo;
use crate::verify::built;

/// Installs the command, and runs all lines of the documents with it.
pub fn test(root: &Path) -> Result<()> {
    let lines = documents::read(root, "crates/arm-pmu-cli/README.md").shell_lines();
    let install = lines.iter().find(|line| line.starts_with("cargo install --path "));
    let install = documents::without_remark(install.context("no command that installs")?);
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().to_string_lossy();
    let mut arguments: Vec<_> = install.split(' ').skip(1).collect();
    // A debug build uses libraries that the tests have built.
    arguments.extend(["--quiet", "--debug", "--locked", "--root", &place]);
    // The directory is not in the search path, so Cargo prints a warning.
    cargo(root, &arguments).run()?;
    let program =
        directory.path().join("bin").join(format!("arm-pmu{}", std::env::consts::EXE_SUFFIX));
    let tests = built::tests(root, ["console"]).arguments(["documented::"]);
    tests.env("ARM_PMU_PROGRAM", program).run()
}
