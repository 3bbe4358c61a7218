//! `cargo xtask store`: stores the current outputs, with which the tests compare later outputs. Read the difference
//! before you commit it.

use std::path::Path;

use anyhow::Result;

use crate::command::cargo;
use crate::verify::api;

#[derive(clap::Args)]
pub struct Arguments {
    /// Store only the outputs that tests of this package compare
    package: Option<String>,
}

/// Compile-fail programs with their messages; this test runs only on request.
const REFUSALS: &str = "refusals";

/// Runs the tests so that snapbox and trybuild write their outputs, and stores the public items.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let package = arguments.package.as_deref();
    let tests = match package {
        Some(package) => vec!["test", "--quiet", "--no-fail-fast", "--package", package],
        None => vec!["test", "--quiet", "--no-fail-fast", "--workspace"],
    };
    let stored = cargo(root, &tests).env("SNAPSHOTS", "overwrite").run();
    if package.is_none_or(|package| package == REFUSALS) {
        let refusals = cargo(root, &["test", "--workspace", "--test", REFUSALS, "--", "--ignored"]);
        refusals.env("TRYBUILD", "overwrite").run()?;
    }
    if package.is_none() {
        api::run(root, &api::Arguments::default())?;
    }
    stored
}
