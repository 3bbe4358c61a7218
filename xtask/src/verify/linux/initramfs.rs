//! Writes an initramfs (`newc`) without root rights.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

use anyhow::Result;
use cpio::NewcBuilder;

/// Mode bits with the type of an entry.
const FILE: u32 = 0o100_755;
const DIRECTORY: u32 = 0o040_755;

/// Returns an archive of these files and their directories, all with mode 755. The kernel unpacks it when it starts, on
/// top of its own with `/dev/console`. Several archives can be concatenated.
///
/// # Errors
///
/// Returns an error if a file is larger than the format allows.
pub fn archive(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let parents = files.iter().flat_map(|(name, _)| Path::new(name).ancestors().skip(1));
    let parents: BTreeSet<_> = parents.filter_map(|path| path.to_str()).collect();
    let parents = parents.into_iter().filter(|name| !name.is_empty());
    let directories = parents.map(|name| (name, DIRECTORY, &[][..]));
    let entries = files.iter().map(|(name, content)| (name.as_str(), FILE, content.as_slice()));
    let entries = directories.chain(entries).zip(1..).map(|((name, mode, content), number)| {
        (NewcBuilder::new(name).ino(number).nlink(1).mode(mode), Cursor::new(content))
    });
    Ok(cpio::write_cpio(entries, Vec::new())?)
}
