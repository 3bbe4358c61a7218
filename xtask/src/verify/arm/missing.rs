//! Handles a missing tool.

use crate::output::outln;
use anyhow::{Result, bail};

/// Prints in one line which step is skipped and why. In CI this is an error, because CI installs all tools.
///
/// # Errors
///
/// In CI.
pub fn skip(what: &str, missing: &str) -> Result<()> {
    if std::env::var_os("CI").is_some() {
        bail!("{what}: {missing}");
    }
    outln!("skipped {what}: {missing}");
    Ok(())
}
