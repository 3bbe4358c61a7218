//! `cargo xtask site`: builds the reference pages.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::command::{Program, cargo};
use crate::verify::built;

/// Builds the pages in `target/site`. The pages use the tables, so run `gen` first.
pub fn run(root: &Path) -> Result<()> {
    cargo(root, &["run", "--quiet", "--package", "site", "--", "target/site"]).run()
}

pub fn test(root: &Path) -> Result<()> {
    cargo(root, &["test", "--package", "site", "--features", "browser", "--test", "browser"]).run()
}

/// Compiles the Rust lines of the pages in one file, and runs them on the drivers. The file is written before
/// Cargo starts the compiler, so building the workspace's tests is enough.
pub fn compile_lines(root: &Path) -> Result<()> {
    let directory = root.join("target/site-lines");
    fs::create_dir_all(&directory)?;
    let file = directory.join("lines.rs").to_string_lossy().into_owned();
    let site = built::program(root, "site")?;
    Program::new(&site).arguments(["--lines", &file]).run()?;
    built::tests(root, ["lines"]).env("SITE_LINES", file).run()
}
