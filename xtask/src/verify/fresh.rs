//! Runs the commands of the README as a new user does: in a fresh clone, with an empty Cargo home.
//!
//! The commands run in place, so that later steps reuse what they have built. `.ci/run` empties the Cargo home that all
//! steps use; without it, this step empties the home.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::command::Program;

/// Commands that a new user types. The second command runs all tests, so `cargo xtask ci` has no
/// other step for them.
const COMMANDS: [&str; 2] = ["cargo xtask gen", "cargo test --workspace"];

/// Runs the commands. They must not change files, and a clone must contain all files that they
/// need.
pub fn run(root: &Path) -> Result<()> {
    let status = || {
        let arguments = ["status", "--porcelain", "--ignored"];
        Program::new("git").arguments(arguments).directory(root).output()
    };
    let before = status()?;
    let is_unknown = |line: &&str| line.starts_with("?? ") || line.starts_with("!! ");
    let lacking =
        before.lines().filter(is_unknown).find(|line| line[3..].trim_end_matches('/') != "target");
    ensure!(lacking.is_none(), "a clone would lack {}", lacking.unwrap_or_default());
    let home = root.join("target/fresh/home");
    if home.exists() && env::var_os("CARGO_HOME").is_none_or(|used| Path::new(&used) != home) {
        fs::remove_dir_all(&home)?;
    }
    let lines = documents::read(root, "README.md").shell_lines();
    let commands: Vec<_> = lines.iter().map(|line| documents::without_remark(line)).collect();
    ensure!(commands == COMMANDS, "the README has other commands: {commands:?}");
    for command in commands {
        outln!("$ {command}");
        Program::shell(command).directory(root).env("CARGO_HOME", &home).run()?;
    }
    let after = status()?;
    ensure!(after == before, "the commands of the README changed files:\n{after}");
    Ok(())
}
