//! The command `arm-pmu`, as a new user has it: installed as its README says, and used from a directory in which there
//! is nothing.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::cargo;
use crate::verify::{arm, built};

const README: &str = "crates/arm-pmu-cli/README.md";

/// How the README says that it is installed.
const INSTALL: &str = "cargo install arm-pmu-cli";

/// The same in a checkout, which is what can be run here.
const IN_A_CHECKOUT: &str = "cargo install --path crates/arm-pmu-cli";

/// Installs the command, and tests what was installed: among others, everything that the README shows.
///
/// # Errors
///
/// If it cannot be installed, or a test fails.
pub fn test(root: &Path) -> Result<()> {
    says_how(&fs::read_to_string(root.join(README)).context(README)?)?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let place = directory.path().to_str().context("a temporary directory that is not UTF-8")?;
    let mut arguments: Vec<_> = IN_A_CHECKOUT.split(' ').skip(1).collect();
    // Not optimized, so that what tests have built is used.
    arguments.extend(["--quiet", "--debug", "--locked", "--root", place]);
    // The search path has no such directory, and Cargo says so.
    cargo(root, &arguments).run()?;
    let program =
        directory.path().join("bin").join(format!("arm-pmu{}", std::env::consts::EXE_SUFFIX));
    let tests = arm::test_files(&root.join("crates/arm-pmu-cli/tests"))?;
    built::tests(root, tests).env("ARM_PMU_PROGRAM", program).run()
}

/// That this README has both lines: a line of its own for readers of a registry, the other where there is a checkout.
fn says_how(readme: &str) -> Result<()> {
    ensure!(readme.lines().any(|line| line == INSTALL), "{README} does not say `{INSTALL}`");
    let in_a_checkout = readme.lines().any(|line| line.starts_with(IN_A_CHECKOUT));
    ensure!(in_a_checkout, "{README} has no `{IN_A_CHECKOUT}`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_says_how_to_install_with_and_without_a_checkout() {
        says_how(include_str!("../../../crates/arm-pmu-cli/README.md")).expect("both lines");
        says_how(INSTALL).expect_err("without a checkout alone");
        says_how(IN_A_CHECKOUT).expect_err("of no use to readers of a registry");
    }
}
