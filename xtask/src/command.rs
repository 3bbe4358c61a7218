//! Runs other programs and reports how they ended.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, PipeReader, pipe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// A program to run.
pub struct Program {
    command: Command,
    text: String,
}

/// Returns Cargo, in the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Program {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let command = Command::new(program);
    Program { command, text: "cargo".to_owned() }.arguments(arguments).directory(root)
}

/// Returns the default target of a compiler from its `-vV` output.
pub fn host(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

impl Program {
    /// Returns a program from a path, or from a name in the search path.
    pub fn new(name: impl AsRef<OsStr>) -> Self {
        let text = name.as_ref().to_string_lossy().into_owned();
        Self { command: Command::new(name), text }
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

    /// # Errors
    ///
    /// Returns an error if the program cannot be started, fails, or runs for an hour.
    pub fn run(mut self) -> Result<()> {
        let mut child = self.spawn()?;
        let status = child.wait_until(Instant::now() + LONGEST)?;
        self.succeeded(status)
    }

    /// What it prints. Runs the program and returns its output; its errors are printed as they
    /// come.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started, fails, or runs for an hour.
    pub fn output(mut self) -> Result<String> {
        let mut text = String::new();
        let status = self.follow(LONGEST, Errors::Shown, |line| {
            text.push_str(line);
            text.push('\n');
        })?;
        self.succeeded(status)?;
        Ok(text)
    }

    /// Returns the libraries that Cargo builds: the name and file of each.
    ///
    /// # Errors
    ///
    /// As [`output`](Self::output).
    pub fn libraries(self) -> Result<Vec<(String, PathBuf)>> {
        /// Keys of a Cargo message that are used here.
        #[derive(Deserialize)]
        struct Artifact {
            target: Target,
            filenames: Vec<PathBuf>,
        }
        #[derive(Deserialize)]
        struct Target {
            name: String,
        }
        let messages = self.arguments(["--message-format", "json-render-diagnostics"]).output()?;
        let artifacts = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
        let library = |Artifact { target, filenames }: Artifact| {
            let is_library = |file: &PathBuf| file.extension().is_some_and(|end| end == "rlib");
            Some((target.name, filenames.into_iter().find(is_library)?))
        };
        Ok(artifacts.filter_map(library).collect())
    }

    /// Passes each printed line to `each_line`, including errors, and returns the exit status.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started, or if it is killed after `limit`.
    pub fn run_within(
        mut self,
        limit: Duration,
        mut each_line: impl FnMut(&str),
    ) -> Result<ExitStatus> {
        let mut last = None;
        let status = self.follow(limit, Errors::Printed, |line| {
            each_line(line);
            last = Some(line.to_owned());
        })?;
        status.with_context(|| {
            let last =
                last.map_or("it printed nothing".into(), |line| format!("its last line: {line}"));
            format!("`{}` was killed after {} s; {last}", self.text, limit.as_secs_f32())
        })
    }

    fn spawn(&mut self) -> Result<Running> {
        let child = self.command.spawn().with_context(|| format!("cannot run `{}`", self.text))?;
        Ok(Running(child))
    }

    fn succeeded(&self, status: Option<ExitStatus>) -> Result<()> {
        match status {
            None => bail!("`{}` was killed after {} s", self.text, LONGEST.as_secs()),
            Some(status) if !status.success() => bail!("`{}` failed: {status}", self.text),
            Some(_) => Ok(()),
        }
    }

    /// Runs the program, line by line. Without a status, the program did not end and was killed.
    fn follow(
        &mut self,
        limit: Duration,
        errors: Errors,
        mut each_line: impl FnMut(&str),
    ) -> Result<Option<ExitStatus>> {
        let end = Instant::now() + limit;
        let (reader, writer) = pipe()?;
        self.command.stdin(Stdio::null());
        match errors {
            Errors::Printed => self.command.stderr(writer.try_clone()?),
            Errors::Shown => self.command.stderr(Stdio::inherit()),
            Errors::Ignored => self.command.stderr(Stdio::null()),
        };
        self.command.stdout(writer);
        let mut child = self.spawn()?;
        // The pipe ends when all its writing ends are closed, including the one in this process.
        self.command.stdout(Stdio::null()).stderr(Stdio::null());

        let lines = lines(reader);
        let mut next = |end: Instant| {
            let line = lines.recv_timeout(end.saturating_duration_since(Instant::now()))?;
            each_line(&line);
            Ok(())
        };
        let status = loop {
            match next(end) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break None,
                Err(RecvTimeoutError::Disconnected) => break child.wait_until(end)?,
            }
        };
        drop(child);
        // The last incomplete line, and output that was not read yet.
        let end = Instant::now() + Duration::from_secs(1);
        while next(end).is_ok() {}
        Ok(status)
    }
}

/// Longer than any program needs: a program that runs longer waits for something.
const LONGEST: Duration = Duration::from_secs(3600);

/// Destination of a program's standard error.
enum Errors {
    /// Print lines like standard output.
    Printed,
    /// On the terminal.
    Shown,
    Ignored,
}

/// A child process that is killed when this value is dropped.
struct Running(Child);

impl Running {
    /// Returns the exit status if the program ends before `end`.
    fn wait_until(&mut self, end: Instant) -> Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails only if the program has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns lines as they are printed, until the output ends.
fn lines(reader: PipeReader) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if sender.send(text).is_err() {
                break;
            }
            line.clear();
        }
    });
    receiver
}

/// Returns the output of a program, or `None` if it cannot be run or fails.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let mut lines = Vec::new();
    let mut program = Program::new(program).arguments(arguments);
    let status = program
        .follow(Duration::from_secs(60), Errors::Ignored, |line| lines.push(line.to_owned()))
        .ok()??;
    status.success().then(|| lines.join("\n").trim().to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> (Result<ExitStatus>, Vec<String>) {
        let mut lines = Vec::new();
        let program = Program::new("sh").arguments(["-c", script]);
        let result = program.run_within(limit, |line| lines.push(line.to_owned()));
        (result, lines)
    }

    #[test]
    fn a_program_gives_status_and_lines() {
        let (status, lines) = shell("echo one; echo two >&2; exit 3", Duration::from_secs(60));
        assert_eq!(status.unwrap().code(), Some(3));
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn a_killed_program_shows_its_last_line() {
        let start = Instant::now();
        let limit = Duration::from_millis(500);
        let (status, lines) = shell("echo first; printf last; exec sleep 60", limit);
        let message = status.unwrap_err().to_string();
        assert!(message.ends_with("was killed after 0.5 s; its last line: last"), "{message}");
        assert_eq!(lines, ["first", "last"]);
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_silent_hanging_program_is_killed() {
        let (status, lines) = shell("exec sleep 60 >&- 2>&-", Duration::from_millis(100));
        let message = status.unwrap_err().to_string();
        assert!(message.ends_with("it printed nothing"), "{message}");
        assert!(lines.is_empty());
    }
}
