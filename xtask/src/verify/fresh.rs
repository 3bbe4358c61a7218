//! The commands of the README, as a new user runs them: in a fresh clone, with a
//! Cargo home in which there is nothing.
//!
//! Uncommitted changes are part of the clone; files that Git does not track are not. What comes from the
//! registry is downloaded again. It is built in the target directory of this workspace, so that the
//! checks that follow in CI need not build it a second time.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{Program, output};
use crate::output::outln;

/// The section of the README with the commands.
const SECTION: &str = "\n## Try it\n";

/// # Errors
///
/// If a command fails, or the README has none.
pub fn run(root: &Path) -> Result<()> {
    let directory = root.join("target/fresh");
    if directory.exists() {
        fs::remove_dir_all(&directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    let (clone, home) = (directory.join("clone"), directory.join("home"));
    fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    clone_of(root, &clone)?;
    let readme = fs::read_to_string(clone.join("README.md")).context("cannot read README.md")?;
    let commands = commands(&readme).context("README.md has no commands under `Try it`")?;
    for command in commands {
        outln!("$ {command}");
        Program::new("sh")
            .arguments(["-c", command])
            .directory(&clone)
            .env("CARGO_HOME", &home)
            .env("CARGO_TARGET_DIR", root.join("target"))
            .run()?;
    }
    Ok(())
}

/// Clones the last commit, with the changes to it that were not committed.
fn clone_of(root: &Path, clone: &Path) -> Result<()> {
    let path = root.to_str().context("the path of the workspace is not UTF-8")?;
    // Makes a commit and changes nothing else; prints nothing if there are no changes.
    let changed = output("git", &["-C", path, "stash", "create"]);
    let changed = changed.context("the workspace is no Git repository")?;
    let commit = if changed.is_empty() { "HEAD" } else { &changed };
    Program::new("git")
        .arguments(["clone", "--quiet", "--no-checkout", path])
        .arguments([clone])
        .run()?;
    Program::new("git")
        .arguments(["checkout", "--quiet", "--detach", commit])
        .directory(clone)
        .run()
}

/// The lines of the first block of shell commands in the section.
fn commands(readme: &str) -> Option<Vec<&str>> {
    let (_, section) = readme.split_once(SECTION)?;
    let section = section.split("\n## ").next()?;
    let (_, block) = section.split_once("\n```sh\n")?;
    let (block, _) = block.split_once("\n```")?;
    Some(block.lines().filter(|line| !line.trim().is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_those_of_the_readme() {
        let readme = include_str!("../../../README.md");
        let commands = commands(readme).expect("commands");
        let programs = commands.iter().map(|line| line.split('#').next().unwrap_or("").trim());
        assert_eq!(programs.collect::<Vec<_>>(), ["cargo xtask gen", "cargo test --workspace"]);
    }

    #[test]
    fn commands_of_other_sections_are_not_taken() {
        let readme = "\n## Try it\n\nNothing.\n\n## Other\n\n```sh\ntrue\n```\n";
        assert_eq!(commands(readme), None);
        assert_eq!(commands("# Title\n\n```sh\ntrue\n```\n"), None);
        let readme = "\n## Try it\n\n```sh\nfirst\n\nsecond\n```\n\n```sh\nthird\n```\n";
        assert_eq!(commands(readme), Some(vec!["first", "second"]));
    }
}
