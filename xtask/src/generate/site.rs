//! `cargo xtask site`: the reference pages.

use std::path::Path;

use anyhow::Result;

use crate::command::cargo;

/// Makes the pages in `target/site`. What they say comes from the tables, so run `gen` first.
///
/// # Errors
///
/// If the program that makes them does not build or fails.
pub fn run(root: &Path) -> Result<()> {
    cargo(root, &["run", "--quiet", "--package", "site", "--", "target/site"]).run()
}

/// Tests the pages in Chromium.
///
/// # Errors
///
/// If a test fails, or there is no Chromium.
pub fn test(root: &Path) -> Result<()> {
    let test = ["test", "--package", "site", "--features", "browser", "--test", "browser"];
    cargo(root, &test).run()
}
