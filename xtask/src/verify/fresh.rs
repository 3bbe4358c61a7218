//! Runs the commands of the README as a new user does: in a fresh clone, with an
//! empty Cargo home.
//!
//! `.ci/run` empties the Cargo home that all steps then use. If in addition the workspace has only files of
//! its last commit, it is such a clone: the commands run in place, and the steps that follow build nothing
//! a second time. Otherwise a clone is made. Uncommitted changes are part of it; files that Git does not
//! track are not.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{Program, output};
use crate::output::outln;

/// # Errors
///
/// If a command fails or changes files, or the README has none.
pub fn run(root: &Path) -> Result<()> {
    let home = root.join("target/fresh/home");
    let emptied = is_in_use(&home);
    if !emptied {
        remove(&home)?;
        fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    }
    let in_place = emptied && other_file(root)?.is_none();
    let place = if in_place { root.to_owned() } else { clone_of(root)? };
    outln!("in {}", place.display());
    for command in documents::read(&place, "README.md").shell_lines() {
        outln!("$ {command}");
        Program::new("sh")
            .arguments(["-c", &command])
            .directory(&place)
            .env("CARGO_HOME", &home)
            .env("CARGO_TARGET_DIR", root.join("target"))
            .run()?;
    }
    // Otherwise the later steps would check files that are not in the commit.
    if let (true, Some(file)) = (in_place, other_file(root)?) {
        bail!("the commands of the README changed {file}");
    }
    Ok(())
}

/// Whether Cargo uses this home, so that `.ci/run` emptied it.
fn is_in_use(home: &Path) -> bool {
    env::var_os("CARGO_HOME").is_some_and(|used| Path::new(&used) == home)
}

/// A file that differs from the last commit, if any, with the path that Git prints. Build output does not count.
fn other_file(root: &Path) -> Result<Option<String>> {
    let path = root.to_str().context("the path of the workspace is not UTF-8")?;
    let arguments = ["-C", path, "status", "--porcelain", "--ignored"];
    let status = output("git", &arguments).context("the workspace is no Git repository")?;
    Ok(other(&status))
}

fn other(status: &str) -> Option<String> {
    let built = ["!! target/", "!! target"];
    let mut lines = status.lines().map(str::trim);
    lines.find(|line| !built.contains(line)).map(str::to_owned)
}

fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    Ok(())
}

/// Clones the last commit, with the changes to it that were not committed.
fn clone_of(root: &Path) -> Result<PathBuf> {
    let clone = root.join("target/fresh/clone");
    remove(&clone)?;
    let path = root.to_str().context("the path of the workspace is not UTF-8")?;
    // Makes a commit and changes nothing else; prints nothing if there are no changes.
    let changed = output("git", &["-C", path, "stash", "create"]);
    let changed = changed.context("the workspace is no Git repository")?;
    let commit = if changed.is_empty() { "HEAD" } else { &changed };
    Program::new("git")
        .arguments(["clone", "--quiet", "--no-checkout", path])
        .arguments([&clone])
        .run()?;
    Program::new("git")
        .arguments(["checkout", "--quiet", "--detach", commit])
        .directory(&clone)
        .run()?;
    Ok(clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_needs_two_commands() {
        let readme =
            documents::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), "README.md");
        let lines = readme.shell_lines();
        let lines: Vec<_> = lines.iter().map(|line| documents::without_remark(line)).collect();
        assert_eq!(lines, ["cargo xtask gen", "cargo test --workspace"]);
    }

    #[test]
    fn only_builds_may_lie_beside_the_commit() {
        assert_eq!(other(""), None);
        assert_eq!(other("!! target/"), None);
        assert_eq!(other("!! target"), None);
        assert_eq!(other("!! out/\n!! target/").as_deref(), Some("!! out/"));
        assert_eq!(other("M README.md").as_deref(), Some("M README.md"));
        assert_eq!(other("?? crates/new/\n!! target/").as_deref(), Some("?? crates/new/"));
    }
}
