//! Writes an initramfs (`newc`) without root rights: the kernel's
//! `Documentation/driver-api/early-userspace/buffer-format.rst` describes it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};

/// Archive that the kernel unpacks when it starts, on top of its own with `/dev/console`. Several archives can be
/// concatenated.
#[derive(Default)]
pub struct Initramfs {
    bytes: Vec<u8>,
    directories: BTreeSet<String>,
    entries: u32,
}

/// Mode bits with the type of an entry.
const FILE: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;

impl Initramfs {
    /// Adds a file with mode 755, and its parent directories.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is larger than the format allows.
    pub fn file(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let parents: Vec<_> = Path::new(name).ancestors().skip(1).collect();
        for parent in parents.iter().rev().map(|path| path.to_string_lossy()) {
            if !parent.is_empty() && self.directories.insert(parent.to_string()) {
                self.entry(&parent, DIRECTORY | 0o755, &[])?;
            }
        }
        self.entry(name, FILE | 0o755, content)
    }

    /// The archive.
    ///
    /// # Errors
    ///
    /// Never fails, because the name of the last entry fits.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.entry("TRAILER!!!", 0, &[])?;
        Ok(self.bytes)
    }

    /// The header has 13 numbers of eight hexadecimal digits; names and contents are padded to four bytes.
    fn entry(&mut self, name: &str, mode: u32, content: &[u8]) -> Result<()> {
        let length =
            u32::try_from(content.len()).with_context(|| format!("{name} is too large"))?;
        let name_length = u32::try_from(name.len() + 1)?;
        self.entries += 1;
        self.bytes.extend(b"070701");
        for number in [self.entries, mode, 0, 0, 1, 0, length, 0, 0, 0, 0, name_length, 0] {
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
