//! The build options of the kernel.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::linux::files::text;

/// Build options of the running kernel, if the system has its configuration file.
#[derive(Clone, Debug)]
pub struct Config {
    /// File with the options.
    pub file: String,
    text: String,
}

impl Config {
    /// Reads `/boot/config-*` of the running kernel, or `/proc/config.gz`.
    pub fn read(root: &Path) -> Option<Self> {
        let name = format!("boot/config-{}", text(root.join("proc/sys/kernel/osrelease"))?);
        if let Ok(text) = fs::read_to_string(root.join(&name)) {
            return Some(Self { file: format!("/{name}"), text });
        }
        let packed = root.join("proc/config.gz");
        let file = fs::File::open(packed).ok()?;
        let mut gzip = Command::new("gzip");
        let unpacked = gzip.arg("-dc").stdin(file).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(unpacked.stdout).ok().filter(|_| unpacked.status.success())?;
        Some(Self { file: "/proc/config.gz".to_owned(), text })
    }

    /// Value of an option such as `CONFIG_ARM_CCI_PMU`: `y`, or `m` for a module; `None` if it is not set.
    pub fn get(&self, option: &str) -> Option<&str> {
        let values =
            self.text.lines().filter_map(|line| line.strip_prefix(option)?.strip_prefix('='));
        { values }.find(|value| ["y", "m"].contains(value))
    }
}
