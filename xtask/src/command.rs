//! Runs other programs and reports how they ended.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A program to run.
pub struct Program {
    command: Command,
    text: String,
}

/// Returns Cargo, to run in the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Program {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let command = Command::new(program);
    Program { command, text: "cargo".to_owned() }.arguments(arguments).directory(root)
}

impl Program {
    /// Returns a program from a path, or from a name in the search path.
    pub fn new(name: impl AsRef<OsStr>) -> Self {
        let text = name.as_ref().to_string_lossy().into_owned();
        Self { command: Command::new(name), text }
    }

    /// Returns a shell that runs these lines until one fails.
    pub fn shell(lines: &str) -> Self {
        Self::new("sh").arguments(["-e", "-c", lines])
    }

    /// Adds arguments.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        for argument in arguments {
            self.text.push(' ');
            self.text.push_str(&argument.as_ref().to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    /// Sets the working directory.
    pub fn directory(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs the program, which must succeed.
    pub fn run(mut self) -> Result<()> {
        let status =
            self.command.status().with_context(|| format!("cannot run `{}`", self.text))?;
        self.succeeded(status)
    }

    /// Runs the program, which must succeed, and returns its output. The program's errors are printed as they come.
    pub fn output(mut self) -> Result<String> {
        let output = self.command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot run `{}`", self.text))?;
        self.succeeded(output.status)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Returns the libraries that Cargo builds: the name and file of each.
    pub fn libraries(self) -> Result<Vec<(String, PathBuf)>> {
        let messages = self.arguments(["--message-format", "json-render-diagnostics"]).output()?;
        let messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
        let library = |artifact: Value| {
            let mut files = artifact["filenames"].as_array()?.iter().filter_map(Value::as_str);
            let file = files.find(|file| file.ends_with(".rlib"))?;
            Some((artifact["target"]["name"].as_str()?.to_owned(), file.into()))
        };
        Ok(messages.filter_map(library).collect())
    }

    /// Passes each printed line to `each_line`, including errors, and returns the exit status. Kills the program
    /// after `limit`, which is an error.
    pub fn run_within(
        self,
        limit: Duration,
        mut each_line: impl FnMut(&str),
    ) -> Result<ExitStatus> {
        let (mut reader, writer) = pipe()?;
        let mut command = Command::new("timeout");
        // In the foreground, Ctrl-C ends the program too.
        command.args(["--foreground", "--signal=KILL", &limit.as_secs_f32().to_string()]);
        command.arg(self.command.get_program()).args(self.command.get_args());
        for (name, value) in self.command.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        if let Some(directory) = self.command.get_current_dir() {
            command.current_dir(directory);
        }
        command.stdin(Stdio::null()).stderr(writer.try_clone()?).stdout(writer);
        let child = command.spawn().with_context(|| format!("cannot run `{}`", self.text));
        // The pipe ends when all its writers are closed, including the writers in this process.
        drop(command);
        let mut child = child?;
        let mut last = "nothing".to_owned();
        let mut reader = BufReader::new(&mut reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            String::from_utf8_lossy(&line).trim_end().clone_into(&mut last);
            each_line(&last);
            line.clear();
        }
        let status = child.wait()?;
        // Depending on its version, `timeout` ends by the signal that it sent, or with status 128 plus the signal's
        // number.
        ensure!(
            status.code().is_some_and(|code| code != 128 + 9),
            "`{}` was killed after {} s; it printed last: {last}",
            self.text,
            limit.as_secs_f32()
        );
        Ok(status)
    }

    fn succeeded(&self, status: ExitStatus) -> Result<()> {
        ensure!(status.success(), "`{}` failed: {status}", self.text);
        Ok(())
    }
}

/// Returns the output of a program, or `None` if it cannot be run or fails.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_killed_program_shows_its_last_line() {
        for (script, last) in
            [("echo first; printf last; exec sleep 60", "last"), ("exec sleep 60", "nothing")]
        {
            let program = Program::new("sh").arguments(["-c", script]);
            let result = program.run_within(Duration::from_millis(500), |_| ());
            let message = result.unwrap_err().to_string();
            assert!(
                message.ends_with(&format!("after 0.5 s; it printed last: {last}")),
                "{message}"
            );
        }
    }
}
