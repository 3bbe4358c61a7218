//! Runs the tests of the library crates on other word sizes: as programs for Arm Linux, each under
//! QEMU's emulation of one process.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::missing::skip;
use super::toolchain::Toolchain;
use crate::command::{Program, output};
use crate::load;
use crate::output::outln;

/// The crates that run on target, beside those of the IPs.
const COMMON: [&str; 2] = ["arm-pmu", "arm-pmu-core"];

/// Tests that run the compiler. There is none on target.
const OF_THE_COMPILER: &str = "ui";

/// How long the tests of one file may run. They take seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// A target, and the tools for it.
struct System {
    target: &'static str,
    linker: &'static str,
    emulator: &'static str,
    /// Where its C library is.
    libraries: &'static str,
}

const SYSTEMS: [System; 2] = [
    System {
        target: "armv7-unknown-linux-gnueabihf",
        linker: "arm-linux-gnueabihf-gcc",
        emulator: "qemu-arm",
        libraries: "/usr/arm-linux-gnueabihf",
    },
    System {
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        emulator: "qemu-aarch64",
        libraries: "/usr/aarch64-linux-gnu",
    },
];

/// Builds and runs the tests for each target. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long.
pub fn test(root: &Path) -> Result<()> {
    let of_specs = load::crates(root)?;
    let mut selected = vec!["--lib".to_owned()];
    for name in COMMON.into_iter().chain(of_specs.iter().map(String::as_str)) {
        selected.extend(["--package".to_owned(), name.to_owned()]);
        for test in test_files(&root.join("crates").join(name).join("tests"))? {
            selected.extend(["--test".to_owned(), test]);
        }
    }
    for system in &SYSTEMS {
        match system.toolchain() {
            Ok(toolchain) => system.test(root, &toolchain, &selected)?,
            Err(missing) => skip(system.target, &missing)?,
        }
    }
    Ok(())
}

impl System {
    /// What builds for it, if that can be run too; else, what is missing.
    fn toolchain(&self) -> Result<Toolchain, String> {
        let emulator = self.emulator;
        output(emulator, &["--version"]).ok_or_else(|| format!("there is no {emulator}"))?;
        Toolchain::linux(self.target, self.linker)
    }

    fn test(&self, root: &Path, toolchain: &Toolchain, selected: &[String]) -> Result<()> {
        let mut arguments = vec!["--no-run", "--message-format", "json-render-diagnostics"];
        arguments.extend(selected.iter().map(String::as_str));
        // Emulated, tests that try everything take minutes without.
        let cargo =
            toolchain.cargo(root, "test", &arguments).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        let messages = cargo.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1").output()?;
        let mut programs: Vec<_> = messages.lines().filter_map(test_program).collect();
        programs.sort_by(|one, other| one.title.cmp(&other.title));
        if programs.is_empty() {
            bail!("{}: Cargo built no tests", self.target);
        }
        outln!("{}", self.target);
        for program in programs {
            self.run(&program).with_context(|| self.target)?;
        }
        Ok(())
    }

    /// Prints the result only, unless it is a failure.
    fn run(&self, program: &TestProgram) -> Result<()> {
        let mut lines = Vec::new();
        let result = Program::new(self.emulator)
            .arguments(["-L", self.libraries])
            .arguments([&program.file])
            .directory(&program.package)
            .run_within(LIMIT, |line| lines.push(line.to_owned()));
        let summary = lines.iter().rev().find(|line| line.starts_with("test result"));
        let passed = result.as_ref().is_ok_and(std::process::ExitStatus::success);
        if let (true, Some(summary)) = (passed, summary) {
            outln!("  {}: {summary}", program.title);
            return Ok(());
        }
        outln!("{}", lines.join("\n"));
        bail!("{}: ended with {}", program.title, result?);
    }
}

/// The names of the files that Cargo makes tests of.
fn test_files(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if directory.is_dir() {
        for entry in directory.read_dir()? {
            let path = entry?.path();
            let is_test = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
            if let (true, Some(name)) = (is_test, path.file_stem().and_then(OsStr::to_str)) {
                names.push(name.to_owned());
            }
        }
    }
    names.retain(|name| name != OF_THE_COMPILER);
    names.sort();
    Ok(names)
}

struct TestProgram {
    title: String,
    file: PathBuf,
    /// Where Cargo would run it.
    package: PathBuf,
}

/// What is of interest in a message of Cargo.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: Target,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// The program that a message of Cargo tells of, if it does.
fn test_program(message: &str) -> Option<TestProgram> {
    let artifact: Artifact = serde_json::from_str(message).ok()?;
    let package = artifact.manifest_path.parent()?.to_owned();
    let directory = package.file_name()?.to_string_lossy();
    let title = format!("{directory} {}", artifact.target.name);
    Some(TestProgram { title, file: artifact.executable?, package })
}
