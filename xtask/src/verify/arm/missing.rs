//! Handles a missing tool.

use anyhow::{Result, bail};

/// Prints in one line which step is skipped and why. In CI, which installs all tools, a missing
/// tool is an error.
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

/// Returns the tool that was found. If something is missing, calls [`skip`] and returns `None`.
///
/// # Errors
///
/// Returns an error in CI if something is missing.
pub fn or_skip<T>(what: &str, found: Result<T, String>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(missing) => skip(what, &missing).map(|()| None),
    }
}
