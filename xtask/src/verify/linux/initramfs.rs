//! Writes an initramfs (`newc`) without root rights: the kernel's
//! `Documentation/driver-api/early-userspace/buffer-format.rst` describes it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};

/// The archive that the kernel unpacks when it starts. Archives can follow one another.
#[derive(Default)]
pub struct Initramfs {
    bytes: Vec<u8>,
    directories: BTreeSet<String>,
    entries: u32,
}

/// The bits of a mode with the type of an entry.
const FILE: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const CHARACTER_DEVICE: u32 = 0o020_000;

impl Initramfs {
    /// Adds a file with mode 755, and its parent directories.
    ///
    /// # Errors
    ///
    /// If it is larger than the format allows.
    pub fn file(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let parents = Path::new(name).ancestors().skip(1).map(|path| path.to_string_lossy());
        let mut parents: Vec<_> = parents.filter(|path| !path.is_empty()).collect();
        parents.reverse();
        for parent in parents {
            self.directory(&parent)?;
        }
        self.entry(name, FILE | 0o755, (0, 0), content)
    }

    /// Adds a directory, once.
    ///
    /// # Errors
    ///
    /// None for the directories of this bench.
    fn directory(&mut self, name: &str) -> Result<()> {
        if self.directories.insert(name.to_owned()) {
            self.entry(name, DIRECTORY | 0o755, (0, 0), &[])?;
        }
        Ok(())
    }

    /// Adds `/dev/console`: the kernel opens it before it starts the first program.
    ///
    /// # Errors
    ///
    /// None for this name.
    pub fn console(&mut self) -> Result<()> {
        self.directory("dev")?;
        self.entry("dev/console", CHARACTER_DEVICE | 0o600, (5, 1), &[])
    }

    /// The archive.
    ///
    /// # Errors
    ///
    /// None for the name of the last entry.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.entry("TRAILER!!!", 0, (0, 0), &[])?;
        Ok(self.bytes)
    }

    /// The header has 13 numbers of eight hexadecimal digits; names and contents are filled up to four bytes.
    fn entry(&mut self, name: &str, mode: u32, device: (u32, u32), content: &[u8]) -> Result<()> {
        let (Ok(length), Ok(name_length)) =
            (u32::try_from(content.len()), u32::try_from(name.len() + 1))
        else {
            bail!("{name} is too large for an initramfs");
        };
        self.entries += 1;
        let (major, minor) = device;
        let numbers = [self.entries, mode, 0, 0, 1, 0, length, 0, 0, major, minor, name_length, 0];
        self.bytes.extend(b"070701");
        for number in numbers {
            self.bytes.extend(format!("{number:08X}").bytes());
        }
        self.bytes.extend(name.bytes());
        self.bytes.push(0);
        self.fill();
        self.bytes.extend(content);
        self.fill();
        Ok(())
    }

    fn fill(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}
