//! What to do without a tool.

use crate::output::outln;
use anyhow::{Result, bail};

/// Says in one line what is not done and why. In CI that fails: there, everything can be installed.
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
