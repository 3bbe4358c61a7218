//! The kernel's directory of PMUs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::device::{Device, cpu_list};
use super::error::Error;
use super::field::Field;

/// The kernel's directory of PMUs.
#[derive(Clone, Debug)]
pub struct Sysfs {
    root: PathBuf,
}

// Bits of `CapEff`, numbered as in `linux/capability.h`.
const CAP_SYS_ADMIN: u64 = 1 << 21;
const CAP_PERFMON: u64 = 1 << 38;

impl Default for Sysfs {
    fn default() -> Self {
        Self::at("/")
    }
}

impl Sysfs {
    /// Uses the system under `root`, for tests.
    ///
    /// `root` contains the directories `sys` and `proc`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Returns the names of all PMUs in alphabetical order.
    ///
    /// # Errors
    ///
    /// Returns [`Error::NoPerf`] if the kernel lists no PMU.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let entries = fs::read_dir(self.devices()).map_err(|_| Error::NoPerf)?;
        let names = entries.map_while(Result::ok).map(|entry| entry.file_name());
        let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        Ok(names)
    }

    /// Reads the description of one PMU; `None` if the kernel has no PMU of that name.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or if its format is unknown.
    pub fn device(&self, name: &str) -> Result<Option<Device>, Error> {
        if !self.names()?.iter().any(|one| one == name) {
            return Ok(None);
        }
        let directory = self.devices().join(name);
        let path = directory.join("type");
        let number = read(&path)?;
        let wrong = |path: PathBuf| Error::File { path, why: "is no number".to_owned() };
        let number = number.parse().map_err(|_| wrong(path))?;
        let path = directory.join("identifier");
        let identifier = match fs::read_to_string(&path) {
            Err(_) => None,
            Ok(text) => {
                let digits = text.trim().trim_start_matches("0x");
                Some(u64::from_str_radix(digits, 16).map_err(|_| wrong(path))?)
            }
        };
        let field = |(name, text): (String, String)| {
            let path = directory.join("format").join(&name);
            let why = format!("has an unknown form: {text}");
            Ok((name, Field::parse(&text).ok_or(Error::File { path, why })?))
        };
        let fields = files(&directory.join("format"))?;
        let fields = fields.map(|all| all.into_iter().map(field).collect()).transpose()?;
        let events = files(&directory.join("events"))?.unwrap_or_default();
        Ok(Some(Device { directory, name: name.to_owned(), number, identifier, fields, events }))
    }

    /// Returns `perf_event_paranoid`, if readable.
    #[must_use]
    pub fn paranoid(&self) -> Option<i32> {
        self.text("proc/sys/kernel/perf_event_paranoid")?.parse().ok()
    }

    /// Returns `perf_user_access`: whether threads may read their own counters. `None` if the kernel does not support
    /// this.
    #[must_use]
    pub fn user_access(&self) -> Option<bool> {
        Some(self.text("proc/sys/kernel/perf_user_access")? == "1")
    }

    /// Whether this process may count everything, whatever the value of `perf_event_paranoid`.
    pub(crate) fn has_right(&self) -> bool {
        let digits = self.status("self", "CapEff:");
        let rights = digits.and_then(|digits| u64::from_str_radix(&digits, 16).ok());
        rights.is_some_and(|rights| rights & (CAP_PERFMON | CAP_SYS_ADMIN) != 0)
    }

    /// Returns the processors that may run the calling thread, if readable.
    pub(crate) fn allowed(&self) -> Option<Vec<u32>> {
        cpu_list(&self.status("thread-self", "Cpus_allowed_list:")?)
    }

    /// Returns the value of a key in the status of a process or thread.
    fn status(&self, whose: &str, key: &str) -> Option<String> {
        let text = self.text(&format!("proc/{whose}/status"))?;
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim().to_owned())
    }

    /// Returns the processors that are online, if readable.
    #[must_use]
    pub fn online(&self) -> Option<Vec<u32>> {
        cpu_list(&self.text("sys/devices/system/cpu/online")?)
    }

    /// Returns the Main ID Register of a processor; `None` if the processor is offline or 32-bit.
    #[must_use]
    pub fn main_id(&self, cpu: u32) -> Option<u32> {
        let path = format!("sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1");
        u64::from_str_radix(self.text(&path)?.strip_prefix("0x")?, 16).ok()?.try_into().ok()
    }

    fn text(&self, path: &str) -> Option<String> {
        read(&self.root.join(path)).ok()
    }

    fn devices(&self) -> PathBuf {
        self.root.join("sys/bus/event_source/devices")
    }
}

fn read(path: &Path) -> Result<String, Error> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text.trim().to_owned()),
        Err(error) => Err(Error::File { path: path.to_owned(), why: error.to_string() }),
    }
}

/// Reads all files of a directory; `None` if the directory does not exist.
fn files(folder: &Path) -> Result<Option<BTreeMap<String, String>>, Error> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(None) };
    let mut files = BTreeMap::new();
    for entry in entries.map_while(Result::ok) {
        files.insert(entry.file_name().to_string_lossy().into_owned(), read(&entry.path())?);
    }
    Ok(Some(files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::Error;

    #[test]
    fn an_ineffective_capability_points_to_the_container() {
        let root = tempfile::tempdir().expect("a folder");
        let of = |line: &str| {
            fs::create_dir_all(root.path().join("proc/self")).expect("a folder");
            let text = format!("Name:\tarm-pmu\n{line}\nSeccomp:\t2\n");
            fs::write(root.path().join("proc/self/status"), text).expect("a file");
            Sysfs::at(root.path()).has_right()
        };
        assert!(of("CapEff:\t000001fffeffffff"));
        assert!(of("CapEff:\t0000004000000000"));
        assert!(!of("CapEff:\t00000000a80425fb"));
        assert!(!of(""));
        let error = |has_right| {
            Error::NotAllowed { paranoid: Some(2), allowed_up_to: 0, has_right }.to_string()
        };
        assert!(error(true).contains(
            "although this process has CAP_PERFMON or CAP_SYS_ADMIN: a container (seccomp)"
        ));
        assert!(error(false).contains("perf_event_paranoid is 2; run as root, with CAP_PERFMON"));
    }
}
