//! `cargo xtask ci`.

use std::path::Path;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Arguments {}

/// # Errors
///
/// If a step fails.
pub fn run(_root: &Path, _arguments: &Arguments) -> Result<()> {
    Ok(())
}
