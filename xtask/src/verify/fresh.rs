//! Runs the commands of the README as a new user does: in a fresh clone, with an empty Cargo home.
//!
//! The commands run in place, so that later steps build nothing again. `.ci/run` empties the Cargo home that all steps
//! use; without it, this step empties the home.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::{Program, output};

/// # Errors
///
/// Returns an error if a command fails or changes files, if the README has no commands, or if there are files
/// that a clone would lack.
pub fn run(root: &Path) -> Result<()> {
    let before = status(root)?;
    let lacking = in_no_commit(&before);
    ensure!(lacking.is_none(), "a clone would lack {}", lacking.unwrap_or_default());
    let home = root.join("target/fresh/home");
    if env::var_os("CARGO_HOME").is_none_or(|used| Path::new(&used) != home) {
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        fs::create_dir_all(&home)?;
    }
    let commands = documents::read(root, "README.md").shell_lines();
    ensure!(!commands.is_empty(), "the README has no commands");
    for command in commands {
        outln!("$ {command}");
        let shell = Program::new("sh").arguments(["-c", &command]).directory(root);
        shell.env("CARGO_HOME", &home).run()?;
    }
    let after = status(root)?;
    ensure!(after == before, "the commands of the README changed files:\n{after}");
    Ok(())
}

/// Returns the files that differ from the last commit, as Git prints them.
fn status(root: &Path) -> Result<String> {
    let path = root.to_str().context("the path of the workspace is not UTF-8")?;
    let arguments = ["-C", path, "status", "--porcelain", "--ignored"];
    output("git", &arguments).context("the workspace is no Git repository")
}

/// Returns a file that Git does not track, if any. Build output does not count.
fn in_no_commit(status: &str) -> Option<&str> {
    let mut unknown = status.lines().filter_map(|line| line.get(3..).filter(|_| is_unknown(line)));
    unknown.find(|path| path.trim_end_matches('/') != "target")
}

fn is_unknown(line: &str) -> bool {
    line.starts_with("?? ") || line.starts_with("!! ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_needs_two_commands() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let lines = documents::read(&root, "README.md").shell_lines();
        let lines: Vec<_> = lines.iter().map(|line| documents::without_remark(line)).collect();
        assert_eq!(lines, ["cargo xtask gen", "cargo test --workspace"]);
    }
}
