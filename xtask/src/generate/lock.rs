//! Lock file: only one run writes at a time, and others wait.

use std::fs::{self, File, TryLockError};
use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::output::errln;
use anyhow::{Context, Result};

/// The locked file. The empty lock file is never removed. The system unlocks the file when a run
/// ends, even if the run is killed.
const FILE: &str = "target/xtask-gen.lock";

/// Runs `work` while no other run reads or writes generated files.
///
/// # Errors
///
/// Returns the errors of `work`, or an error if the lock file cannot be created.
pub fn writing<R>(root: &Path, work: impl FnOnce() -> Result<R>) -> Result<R> {
    let path = root.join(FILE);
    let open = || {
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        File::options().create(true).truncate(false).write(true).open(&path)
    };
    let file = open().with_context(|| format!("cannot make {}", path.display()))?;
    let locked = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            errln!("waiting for another run of `cargo xtask`");
            file.lock()
        }
        other => other.map_err(Error::from),
    };
    locked.with_context(|| format!("cannot lock {}", path.display()))?;
    work()
}

/// Runs `work` while no other run writes generated files. Writes nothing itself.
///
/// # Errors
///
/// Returns the errors of `work`, or an error if the file cannot be locked.
pub fn reading<R>(root: &Path, work: impl FnOnce() -> Result<R>) -> Result<R> {
    let path = root.join(FILE);
    match File::open(&path) {
        // No run has written yet.
        Err(error) if error.kind() == ErrorKind::NotFound => work(),
        file => {
            let file = file.with_context(|| format!("cannot read {}", path.display()))?;
            file.lock_shared().with_context(|| format!("cannot lock {}", path.display()))?;
            work()
        }
    }
}
