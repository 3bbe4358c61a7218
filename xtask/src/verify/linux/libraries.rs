//! Shared libraries that a program needs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::Program;

/// Directories of libraries in packages of this and later Debian releases.
const FOLDERS: [&str; 4] = ["lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib", "usr/lib"];

/// Returns all libraries of a program, direct and indirect, by name, with their files.
///
/// # Errors
///
/// Returns an error if a library is missing or cannot be read.
pub fn needed_by(program: &Path, root: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    let mut open = vec![program.to_owned()];
    while let Some(file) = open.pop() {
        let entries = Program::new("readelf").arguments(["--dynamic".as_ref(), file.as_os_str()]);
        // Lines have the form ` 0x0001 (NEEDED) Shared library: [libc.so.6]`.
        for line in entries.output()?.lines().filter(|line| line.contains("(NEEDED)")) {
            let name = line.rsplit_once('[').unwrap_or_default().1.trim_end_matches(']');
            if !found.contains_key(name) {
                let mut files = FOLDERS.iter().map(|folder| root.join(folder).join(name));
                let library = files.find(|file| file.exists());
                let library = library.with_context(|| {
                    format!("{} needs {name}, which no package has", file.display())
                })?;
                open.push(library.clone());
                found.insert(name.to_owned(), library);
            }
        }
    }
    Ok(found)
}
