//! Builds programs and tests of one package as `cargo test --workspace` builds them.
//!
//! If one package is selected, Cargo enables only the features that this package needs, and builds
//! half of the libraries again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{Program, cargo};

/// This example is built too, so that libraries are built with the same features as in tests.
const EXAMPLE: &str = "every_pmu";

/// Builds a program, and returns its path.
pub fn program(root: &Path, name: &str) -> Result<PathBuf> {
    let arguments = ["build", "--quiet", "--workspace", "--bin", name, "--example", EXAMPLE];
    cargo(root, &arguments).run()?;
    let file = root.join("target/debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    fs::canonicalize(&file).with_context(|| file.display().to_string())
}

/// Returns a Cargo command that runs the test files with these names. Cargo also runs test files
/// with these names in other packages.
pub fn tests(root: &Path, names: impl IntoIterator<Item = impl AsRef<str>>) -> Program {
    let cargo = cargo(root, &["test", "--quiet", "--workspace"]);
    names.into_iter().fold(cargo, |cargo, name| cargo.arguments(["--test", name.as_ref()]))
}
