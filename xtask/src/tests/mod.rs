//! Tests of the whole generator: on made-up specs, on mistakes, on random specs, and on the specs of this
//! workspace against the simulated devices.

mod against_device;
mod architecture;
mod case;
mod documented;
mod duplicates;
mod fuzz;
pub mod good;
mod independent;
mod manifests;
mod stored_messages;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace")
}

/// Returns all files in a directory with this ending, without build output and the directories of Git and editors.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_symlink() || name == "target" || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            files.extend(self::files(&path, ending));
        } else if name.ends_with(ending) {
            files.push(path);
        }
    }
    files.sort();
    files
}
