//! A crate outside of the workspace, that depends on the crates as a user's does.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::verify::crates::examples;

/// Its program.
const PROGRAM: &str = "xtask/user/main.rs";

/// Writes its manifest into a directory, which is returned. The examples of the crates become its own.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn write(root: &Path, crates: &[String]) -> Result<PathBuf> {
    let directory = root.join("target/msrv/user");
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make the directory {}", directory.display()))?;
    let mut manifest = manifest(root, crates);
    for package in crates {
        for example in examples(root, package)? {
            let examples = root.join("crates").join(package).join("examples");
            let file = examples.join(&example).with_extension("rs");
            let file = if file.is_file() { file } else { examples.join(&example).join("main.rs") };
            // Two crates may have examples of the same name.
            let name = format!("{package}-{example}");
            write!(manifest, "\n[[example]]\nname = \"{name}\"\npath = {file:?}\n")?;
        }
    }
    fs::write(directory.join("Cargo.toml"), manifest)?;
    // The same versions of registry packages.
    fs::copy(root.join("Cargo.lock"), directory.join("Cargo.lock"))?;
    Ok(directory)
}

fn manifest(root: &Path, crates: &[String]) -> String {
    let program = root.join(PROGRAM);
    let mut text = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         # Not a part of the workspace around it.\n[workspace]\n\n\
         [[bin]]\nname = \"user\"\npath = {program:?}\n\n[dependencies]\n"
    );
    for package in crates {
        let path = root.join("crates").join(package);
        text.push_str(&format!("{package} = {{ path = {path:?} }}\n"));
    }
    text
}
