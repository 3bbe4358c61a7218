//! Test programs for other processors with Linux, each under QEMU's emulation of one process.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Deserialize;

use super::toolchain::Toolchain;
use crate::command::Program;
use crate::output::outln;

/// How long the tests of one file may run. They take seconds.
const LIMIT: Duration = Duration::from_secs(120);

/// A target, and the tools for it.
pub struct System {
    pub target: &'static str,
    linker: &'static str,
    emulator: &'static str,
    /// Where its C library is.
    libraries: &'static str,
}

/// How tests are built.
#[derive(Clone, Copy)]
pub enum Level {
    /// As on the host: where few tests are long, to optimize them all takes longer than it saves.
    AsOnHost,
    /// So that exhaustive and random tests do not take minutes.
    Optimized,
}

pub const ARMV7: System = System {
    target: "armv7-unknown-linux-gnueabihf",
    linker: "arm-linux-gnueabihf-gcc",
    emulator: "qemu-arm",
    libraries: "/usr/arm-linux-gnueabihf",
};

pub const AARCH64: System = System {
    target: "aarch64-unknown-linux-gnu",
    linker: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    libraries: "/usr/aarch64-linux-gnu",
};

pub const RISCV64: System = System {
    target: "riscv64gc-unknown-linux-gnu",
    linker: "riscv64-linux-gnu-gcc",
    emulator: "qemu-riscv64",
    libraries: "/usr/riscv64-linux-gnu",
};

impl System {
    /// What builds for it, if that can be run too; else, what is missing.
    pub fn toolchain(&self, root: &Path) -> Result<Toolchain, String> {
        Toolchain::emulated(root, self.target, self.linker, self.emulator)
    }

    /// Builds the tests that `selected` names, in the order of their titles.
    pub fn build(
        &self,
        root: &Path,
        toolchain: &Toolchain,
        selected: &[String],
        level: Level,
    ) -> Result<Vec<TestProgram>> {
        let mut arguments = vec!["--no-run", "--message-format", "json-render-diagnostics"];
        arguments.extend(selected.iter().map(String::as_str));
        let mut cargo = toolchain
            .cargo(root, "test", &arguments)
            // Dependencies of the compiler tests alone are not built.
            .env(&toolchain.variable("RUSTFLAGS"), "--cfg arm_pmu_emulated");
        if let Level::Optimized = level {
            for profile in ["DEV", "TEST"] {
                cargo = cargo.env(&format!("CARGO_PROFILE_{profile}_OPT_LEVEL"), "1");
            }
        }
        let messages = cargo.output()?;
        let mut programs: Vec<_> = messages.lines().filter_map(test_program).collect();
        programs.sort_by(|one, other| one.title.cmp(&other.title));
        if programs.is_empty() {
            bail!("{}: Cargo built no tests", self.target);
        }
        Ok(programs)
    }

    /// Runs one and gives the line with its result and all lines, which are printed if it fails.
    pub fn run(&self, program: &TestProgram) -> Result<(String, Vec<String>)> {
        let mut lines = Vec::new();
        let result = Program::new(self.emulator)
            .arguments(["-L", self.libraries])
            .arguments([&program.file])
            .directory(&program.package)
            .run_within(LIMIT, |line| lines.push(line.to_owned()));
        let summary = lines.iter().rev().find(|line| line.starts_with("test result")).cloned();
        let passed = result.as_ref().is_ok_and(std::process::ExitStatus::success);
        if let (true, Some(summary)) = (passed, summary) {
            return Ok((summary, lines));
        }
        outln!("{}", lines.join("\n"));
        bail!("{}: ended with {}", program.title, result?);
    }
}

pub struct TestProgram {
    /// Of the package's directory and the test.
    pub title: String,
    /// Of the test alone.
    pub name: String,
    file: PathBuf,
    /// Where Cargo would run it.
    package: PathBuf,
}

/// The keys of a message of Cargo that are read here.
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

/// The program that a message of Cargo names, if any.
fn test_program(message: &str) -> Option<TestProgram> {
    let artifact: Artifact = serde_json::from_str(message).ok()?;
    let package = artifact.manifest_path.parent()?.to_owned();
    let name = artifact.target.name;
    let title = format!("{} {name}", package.file_name()?.to_string_lossy());
    Some(TestProgram { title, name, file: artifact.executable?, package })
}
