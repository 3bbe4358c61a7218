//! The shared libraries that a program needs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use object::Endianness;
use object::elf::{DT_NEEDED, FileHeader64};
use object::read::elf::{Dyn, FileHeader};

/// Where libraries are, in packages of this and of later releases of Debian.
const FOLDERS: [&str; 4] = ["lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu", "lib", "usr/lib"];

/// All libraries of a 64-bit program, direct and indirect: by name, with their files.
///
/// # Errors
///
/// If one is missing or cannot be read.
pub fn needed_by(program: &Path, root: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    let mut open = vec![program.to_owned()];
    while let Some(file) = open.pop() {
        for name in named_in(&file)? {
            if found.contains_key(&name) {
                continue;
            }
            let Some(library) = FOLDERS
                .iter()
                .map(|folder| root.join(folder).join(&name))
                .find(|file| file.exists())
            else {
                bail!("{} needs {name}, which no package has", file.display());
            };
            open.push(library.clone());
            found.insert(name, library);
        }
    }
    Ok(found)
}

/// The names of the libraries that one file needs itself.
fn named_in(file: &Path) -> Result<Vec<String>> {
    let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let names = || -> object::Result<Vec<String>> {
        let data = content.as_slice();
        let header = FileHeader64::<Endianness>::parse(data)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, data)?;
        let Some((entries, strings)) = sections.dynamic(endian, data)? else {
            return Ok(Vec::new());
        };
        let strings = sections.strings(endian, data, strings)?;
        let needed = entries.iter().filter(|entry| entry.tag(endian) == DT_NEEDED);
        needed
            .map(|entry| Ok(String::from_utf8_lossy(entry.string(endian, strings)?).into_owned()))
            .collect()
    };
    names().with_context(|| format!("{} is no ELF file of 64 bits", file.display()))
}
