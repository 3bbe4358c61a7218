//! The command `arm-pmu` as static programs, for boards without Cargo and with whatever C library.
//!
//! The tests of the command run with each on QEMU, as with the program of the host.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::missing::skip;
use super::toolchain::Toolchain;
use crate::command::cargo;
use crate::output::outln;

/// A kind of board.
struct Board {
    /// In the name of the program.
    name: &'static str,
    target: &'static str,
    linker: &'static str,
    /// With the oldest core that the program is for.
    emulator: &'static str,
}

const BOARDS: [Board; 3] = [
    Board {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        emulator: "qemu-aarch64 -cpu cortex-a53",
    },
    Board {
        name: "armv7",
        target: "armv7-unknown-linux-gnueabihf",
        linker: "arm-linux-gnueabihf-gcc",
        emulator: "qemu-arm -cpu cortex-a8",
    },
    // Debian's library for `armhf` is of ARMv7. That for `armel` is of ARMv5, with floating point by software.
    Board {
        name: "armv6",
        target: "arm-unknown-linux-gnueabi",
        linker: "arm-linux-gnueabi-gcc",
        emulator: "qemu-arm -cpu arm1136",
    },
];

/// Builds optimized programs into `target/boards`, and tests them.
///
/// # Errors
///
/// If one does not build, or a test fails.
pub fn make(root: &Path) -> Result<()> {
    let directory = root.join("target/boards");
    fs::create_dir_all(&directory)?;
    for (board, toolchain) in boards(root)? {
        let program = board.build(root, &toolchain, true)?;
        board.test(root, &program)?;
        let made = directory.join(format!("arm-pmu-{}", board.name));
        fs::copy(&program, &made).with_context(|| format!("cannot write {}", made.display()))?;
        let size = fs::metadata(&made)?.len();
        outln!("{}: {:.1} MB", made.display(), size as f64 / 1e6);
    }
    Ok(())
}

/// The program for one of the targets. `None` if the tools are not there.
///
/// # Errors
///
/// If there is no such target, or it does not build; in CI, if a tool is missing.
pub fn for_target(root: &Path, target: &str, optimized: bool) -> Result<Option<PathBuf>> {
    let board = BOARDS.iter().find(|board| board.target == target);
    let board = board.with_context(|| format!("no board has a program for {target}"))?;
    match Toolchain::linux(root, board.target, board.linker) {
        Ok(toolchain) => board.build(root, &toolchain, optimized).map(Some),
        Err(missing) => skip(board.target, &missing).map(|()| None),
    }
}

/// Those that can be built and run here. In CI all can.
fn boards(root: &Path) -> Result<Vec<(&'static Board, Toolchain)>> {
    let mut found = Vec::new();
    for board in &BOARDS {
        match board.toolchain(root) {
            Ok(toolchain) => found.push((board, toolchain)),
            Err(missing) => skip(board.target, &missing)?,
        }
    }
    Ok(found)
}

impl Board {
    fn toolchain(&self, root: &Path) -> Result<Toolchain, String> {
        let emulator = self.emulator.split(' ').next().unwrap_or_default();
        Toolchain::emulated(root, self.target, self.linker, emulator)
    }

    fn build(&self, root: &Path, toolchain: &Toolchain, optimized: bool) -> Result<PathBuf> {
        let profile = if optimized { "release" } else { "dev" };
        let program = ["--package", "arm-pmu-cli", "--bin", "arm-pmu", "--profile", profile];
        // Flags for this program only, so that other programs for this system share the libraries.
        let flags = ["--", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"];
        toolchain.cargo(root, "rustc", &[&program[..], &flags].concat()).run()?;
        let directory = if optimized { "release" } else { "debug" };
        Ok(toolchain.program(root, directory, "arm-pmu"))
    }

    /// A program that needs a library of the system does not start: none is given to the emulator.
    fn test(&self, root: &Path, program: &Path) -> Result<()> {
        outln!("{}, on {}", self.target, self.emulator);
        let tests = [
            "test",
            "--quiet",
            "--package",
            "arm-pmu-cli",
            "--test",
            "command",
            "--test",
            "report",
        ];
        let cargo = cargo(root, &tests).env("ARM_PMU_PROGRAM", fs::canonicalize(program)?);
        cargo.env("ARM_PMU_EMULATOR", self.emulator).run()
    }
}
