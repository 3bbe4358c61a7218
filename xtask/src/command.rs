//! Runs other programs and looks at how they end.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A program to run.
pub struct Program {
    command: Command,
    text: String,
}

/// Cargo, in the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Program {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root);
    Program { command, text: format!("cargo {}", arguments.join(" ")) }
}

impl Program {
    /// Sets a variable of its environment.
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// # Errors
    ///
    /// If it cannot be started, or ends with a failure.
    pub fn run(mut self) -> Result<()> {
        let status =
            self.command.status().with_context(|| format!("cannot run `{}`", self.text))?;
        if !status.success() {
            bail!("`{}` failed: {status}", self.text);
        }
        Ok(())
    }
}

/// What a program prints, or `None` if it cannot be run or fails.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
