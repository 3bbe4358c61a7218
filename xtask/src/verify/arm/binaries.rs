//! Builds the command `arm-pmu` as static programs, which need neither Cargo nor a C library on the
//! board.
//!
//! The command's own tests run each of these programs on QEMU, in the same way as the host's
//! program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::emulated::{AARCH64, ARMV6, ARMV7, System};
use super::missing::or_skip;
use super::toolchain::Toolchain;
use crate::command::cargo;

/// A kind of board.
struct Board {
    /// Part of the program's name.
    name: &'static str,
    system: System,
    /// Oldest core that the program supports.
    core: &'static str,
}

const BOARDS: [Board; 3] = [
    Board { name: "aarch64", system: AARCH64, core: "cortex-a53" },
    Board { name: "armv7", system: ARMV7, core: "cortex-a8" },
    Board { name: "armv6", system: ARMV6, core: "arm1136" },
];

/// Builds optimized programs into `target/boards`, and tests them.
///
/// # Errors
///
/// Returns an error if a program does not build, or if a test fails.
pub fn make(root: &Path) -> Result<()> {
    let directory = root.join("target/boards");
    fs::create_dir_all(&directory)?;
    for board in &BOARDS {
        let Some(toolchain) = or_skip(board.system.target, board.system.toolchain(root))? else {
            continue;
        };
        let program = build(root, &toolchain)?;
        board.test(root, &program)?;
        let made = directory.join(format!("arm-pmu-{}", board.name));
        fs::copy(&program, &made).with_context(|| format!("cannot write {}", made.display()))?;
        let size = fs::metadata(&made)?.len();
        outln!("{}: {:.1} MB", made.display(), size as f64 / 1e6);
    }
    Ok(())
}

fn build(root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
    let program = ["--package", "arm-pmu-cli", "--bin", "arm-pmu", "--release"];
    // These flags apply only to this program, so that other programs for this system share the
    // libraries.
    let flags = ["--", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"];
    toolchain.cargo(root, "rustc", &[&program[..], &flags].concat()).run()?;
    Ok(toolchain.program(root, "release", "arm-pmu"))
}

impl Board {
    /// A program that needs a system library does not start, because the emulator has none.
    fn test(&self, root: &Path, program: &Path) -> Result<()> {
        let emulator = format!("{} -cpu {}", self.system.emulator, self.core);
        outln!("{}, on {emulator}", self.system.target);
        let tests = ["--package", "arm-pmu-cli", "--test", "command"];
        let cargo = cargo(root, &["test", "--quiet"]).arguments(tests);
        let cargo = cargo.env("ARM_PMU_PROGRAM", fs::canonicalize(program)?);
        cargo.env("ARM_PMU_EMULATOR", emulator).run()
    }
}
