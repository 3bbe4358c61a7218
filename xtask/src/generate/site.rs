//! `cargo xtask site`: the reference pages.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::command::{Program, cargo};
use crate::verify::built;

/// Makes the pages in `target/site`. The lines come from the tables, so run `gen` first.
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
    cargo(root, &["test", "--package", "site", "--features", "browser", "--test", "browser"]).run()
}

/// Compiles the lines of Rust that the pages show, all in one file, and runs them on the drivers. That file is made
/// before Cargo starts the compiler, so the build of the workspace's tests is enough.
///
/// # Errors
///
/// If a line does not compile, or selects another event.
pub fn compile_lines(root: &Path) -> Result<()> {
    let directory = root.join("target/site-lines");
    fs::create_dir_all(&directory)?;
    let file = directory.join("lines.rs").to_string_lossy().into_owned();
    let site = built::program(root, "site")?;
    Program::new(&site).arguments(["--lines", &file]).run()?;
    built::tests(root, ["lines"]).env("SITE_LINES", file).run()
}
