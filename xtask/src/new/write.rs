//! Writes several files, or none.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// A file to be written, by its path in the workspace.
pub enum File {
    Text {
        path: String,
        text: String,
    },
    /// A symbolic link; a copy where the file system has none.
    Link {
        path: String,
        /// From the directory of the link.
        to: String,
    },
}

/// Writes all files. Those that are there already are replaced.
///
/// # Errors
///
/// If one cannot be written. Nothing has changed then.
pub fn all(root: &Path, files: &[File]) -> Result<()> {
    let mut undo = Undo::default();
    let mut staged = Vec::new();
    // Everything is beside its place before the first file is in it: after that, little can fail.
    for file in files {
        let path = root.join(file.path());
        let stage = undo.make_directories(root, &path).and_then(|()| stage(file, &path));
        staged.push((stage.with_context(|| format!("cannot write {}", file.path()))?, path));
    }
    for (stage, path) in staged {
        undo.files.push((path.clone(), fs::read(&path).ok()));
        stage.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    // Last, because a temporary file cannot become one. Nobody misses a licence meanwhile.
    for file in files {
        let File::Link { path, to } = file else { continue };
        link(&root.join(path), to).with_context(|| format!("cannot write {path}"))?;
    }
    undo.keep();
    Ok(())
}

impl File {
    fn path(&self) -> &str {
        match self {
            Self::Text { path, .. } | Self::Link { path, .. } => path,
        }
    }
}

/// The content in a temporary file beside its place.
fn stage(file: &File, path: &Path) -> Result<NamedTempFile> {
    let directory = path.parent().context("a path without a directory")?;
    let text = match file {
        File::Text { text, .. } => text.clone(),
        File::Link { to, .. } => fs::read_to_string(directory.join(to))?,
    };
    let mut file = tempfile::Builder::new().prefix(".new").tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        // A temporary file is private; a source file is not.
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    Ok(file)
}

/// Turns the copy at `path` into a link, where there are links.
#[cfg(unix)]
fn link(path: &Path, to: &str) -> Result<()> {
    fs::remove_file(path)?;
    Ok(std::os::unix::fs::symlink(to, path)?)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &str) -> Result<()> {
    Ok(())
}

/// Puts everything back when it is dropped, unless it was to be kept.
#[derive(Default)]
struct Undo {
    /// What was made, outer before inner.
    directories: Vec<PathBuf>,
    /// What stands at its place now, and what did before.
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
    kept: bool,
}

impl Undo {
    /// Makes the directories that a file needs.
    fn make_directories(&mut self, root: &Path, path: &Path) -> Result<()> {
        let parents: Vec<_> = path.ancestors().skip(1).take_while(|path| *path != root).collect();
        for directory in parents.into_iter().rev() {
            if !directory.is_dir() {
                fs::create_dir(directory)?;
                self.directories.push(directory.to_owned());
            }
        }
        Ok(())
    }

    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        // What fails here cannot be mended; the error that led here is told.
        for (path, before) in self.files.drain(..).rev() {
            let _ = match before {
                Some(bytes) => fs::write(path, bytes),
                None => fs::remove_file(path),
            };
        }
        for directory in self.directories.drain(..).rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, text: &str) -> File {
        File::Text { path: path.to_owned(), text: text.to_owned() }
    }

    /// The paths of all files and directories, with what is in the files.
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
    fn or_none_whatever_fails() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("old"), "old").unwrap();
        fs::create_dir_all(root.path().join("directory/inner")).unwrap();
        let before = state(root.path());
        let dangling = File::Link { path: "x/link".to_owned(), to: "nowhere".to_owned() };
        for wrong in [
            // Before anything is at its place, and after some of it is.
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
