//! Writes several files or none.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::generate::files::link;

/// A file to be written, by its path in the workspace.
pub enum File {
    Text {
        path: String,
        text: String,
    },
    /// A symbolic link, or a copy where the file system has no links.
    Link {
        path: String,
        /// Target, relative to the directory of the link.
        to: String,
    },
}

/// Prefix of the staging directory, in the workspace.
///
/// The staging directory is not under `crates/`, where a directory without a manifest prevents
/// cargo from loading the workspace.
const STAGE: &str = ".xtask-new-";

/// Removes the files that killed runs left behind.
///
/// # Errors
///
/// Returns an error if a file cannot be listed or removed.
pub fn remove_left_overs(root: &Path) -> Result<()> {
    let list = || format!("cannot list {}", root.display());
    for entry in fs::read_dir(root).with_context(list)? {
        let entry = entry.with_context(list)?;
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(STAGE);
        if is_ours && entry.file_type().with_context(list)?.is_dir() {
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Writes all files. Existing files are replaced.
///
/// # Errors
///
/// Returns an error if a file cannot be written. On an error, nothing has changed.
pub fn all(root: &Path, files: &[File]) -> Result<()> {
    // All files are written before the first is moved to its place; after that, little can fail.
    let stage = tempfile::Builder::new().prefix(STAGE).tempdir_in(root);
    let stage = stage.with_context(|| format!("cannot write into {}", root.display()))?;
    let mut moves = Vec::new();
    for file in files {
        let write = || cannot_write(file.path());
        put(file, root, stage.path()).with_context(write)?;
        // A new directory is moved as a whole, so a partial directory is never visible.
        let path = Path::new(file.path());
        let parents: Vec<_> = path.ancestors().take_while(|path| *path != Path::new("")).collect();
        let first_new = parents.iter().rev().find(|path| !root.join(path).is_dir());
        let moved = (*first_new.unwrap_or(&path)).to_owned();
        if !moves.contains(&moved) {
            moves.push(moved);
        }
    }
    let mut undo = Undo::default();
    for path in moves {
        let to = root.join(&path);
        let before = fs::read(&to).ok();
        fs::rename(stage.path().join(&path), &to).with_context(|| cannot_write(&path.display()))?;
        undo.moved.push((to, before));
    }
    for file in files {
        // A link can be resolved only at its place.
        let read = fs::metadata(root.join(file.path()));
        read.with_context(|| cannot_write(file.path()))?;
    }
    undo.kept = true;
    Ok(())
}

fn cannot_write(path: &(impl std::fmt::Display + ?Sized)) -> String {
    format!("cannot write {path}")
}

impl File {
    fn path(&self) -> &str {
        match self {
            Self::Text { path, .. } | Self::Link { path, .. } => path,
        }
    }
}

/// Writes a file at its place below `stage`.
fn put(file: &File, root: &Path, stage: &Path) -> Result<()> {
    let path = stage.join(file.path());
    let directory = path.parent().context("a path without a directory")?;
    fs::create_dir_all(directory)?;
    match file {
        File::Text { text, .. } => fs::write(&path, text)?,
        File::Link { path: of, to } => {
            let directory = root.join(of);
            link(&path, to, directory.parent().context("a path without a directory")?)?;
        }
    }
    Ok(())
}

/// Restores all files when dropped, unless the files are kept.
#[derive(Default)]
struct Undo {
    /// Current contents of each place, and previous contents of files.
    moved: Vec<(PathBuf, Option<Vec<u8>>)>,
    kept: bool,
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        // An error here cannot be handled; the first error is reported.
        for (path, before) in self.moved.drain(..).rev() {
            let _ = match before {
                Some(bytes) => fs::write(path, bytes),
                None if path.is_dir() => fs::remove_dir_all(path),
                None => fs::remove_file(path),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, text: &str) -> File {
        File::Text { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns the paths of all files and directories, with the contents of the files.
    fn state(root: &Path) -> Vec<(PathBuf, Option<String>)> {
        let mut state = Vec::new();
        for entry in fs::read_dir(root).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                state.extend(self::state(&path));
            }
            state.push((path.clone(), fs::read_to_string(&path).ok()));
        }
        state.sort();
        state
    }

    #[test]
    fn all_files_are_written() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("old"), "old").unwrap();
        let link = File::Link { path: "a/link".to_owned(), to: "../old".to_owned() };
        all(root.path(), &[text("a/b/new", "new"), link, text("old", "newer")]).unwrap();
        let read = |path| fs::read_to_string(root.path().join(path)).unwrap();
        assert_eq!((read("a/b/new"), read("old")), ("new".to_owned(), "newer".to_owned()));
        assert_eq!(root.path().join("a/link").is_symlink(), cfg!(unix));
        assert_eq!(state(root.path()).len(), 5, "and nothing else");
    }

    #[test]
    fn only_leftovers_of_killed_runs_are_removed() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".xtask-new-a1B2c3/crates/a/src")).unwrap();
        fs::write(root.path().join(".xtask-new-a1B2c3/crates/a/src/lib.rs"), "").unwrap();
        fs::create_dir(root.path().join(".mine")).unwrap();
        remove_left_overs(root.path()).unwrap();
        assert_eq!(state(root.path()), [(root.path().join(".mine"), None)]);
    }

    #[test]
    fn no_file_changes_whatever_fails() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("old"), "old").unwrap();
        fs::create_dir_all(root.path().join("directory/inner")).unwrap();
        let before = state(root.path());
        let dangling = File::Link { path: "x/link".to_owned(), to: "nowhere".to_owned() };
        for wrong in [
            // Fails before the first file is in place, and after some files are.
            text("old/file", "below a file"),
            dangling,
            text("directory", "in the place of a directory"),
        ] {
            let files = [text("a/b/new", "new"), text("old", "newer"), wrong, text("c/d", "later")];
            all(root.path(), &files).unwrap_err();
            assert_eq!(state(root.path()), before);
        }
    }
}
