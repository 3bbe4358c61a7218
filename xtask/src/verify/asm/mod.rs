//! `cargo xtask asm`: compares the machine code of the typed API with hand-written code.
//!
//! # How two functions are compared
//!
//! `xtask/asm` contains pairs of functions. Both are compiled in release for each target, and the disassemblies of
//! GNU objdump are compared, without the instructions that only set up or give up the stack frame ([`body`]). Then
//!
//! - both have to be equal, instruction by instruction. On RISC-V, each fence must also order accesses to devices and
//!   main memory. No access may change its address register, because a hypervisor cannot emulate that.
//!
//! A method of a driver has a [bound](methods::METHODS) for its instructions, and those of all functions that it may call.

mod body;
mod compare;
mod disassembly;
mod methods;

use std::path::Path;

use anyhow::{Result, bail};

use crate::command::output;
use crate::verify::arm::{Toolchain, or_skip};
use compare::Functions;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only compare, and print the figures; by default, both functions of each pair are printed side
    /// by side
    #[arg(long)]
    check: bool,
}

/// A target, and its disassembler.
pub struct Target {
    pub name: &'static str,
    pub architecture: Architecture,
    pub disassembler: &'static str,
}

impl Target {
    /// Returns the toolchain if its output can be disassembled; otherwise the missing tool.
    fn toolchain(&self, root: &Path) -> Result<Toolchain, String> {
        let disassembler = self.disassembler;
        output(disassembler, &["--version"])
            .ok_or_else(|| format!("there is no {disassembler}"))?;
        Toolchain::of_figures(root, self.name)
    }
}

/// Libraries of the language, which are not part of a method's size. A call of a library function
/// counts as one instruction.
const NOT_OURS: [&str; 3] = ["core", "compiler_builtins", "alloc"];

/// Compiles the functions for a target.
fn build(root: &Path, toolchain: &Toolchain, target: &Target) -> Result<Functions> {
    let arguments = [
        "--package",
        "asm-cases",
        "--release",
        // With several units, inlining depends on the number of functions.
        "--config",
        "profile.release.package.asm-cases.codegen-units=1",
    ];
    let mut functions = Functions::new();
    for (name, library) in toolchain.cargo(root, "build", &arguments).libraries()? {
        // Macros run in the compiler, so they are built for the host.
        let is_for_target = library.components().any(|part| part.as_os_str() == target.name);
        if is_for_target && !NOT_OURS.contains(&name.as_str()) {
            functions.extend(disassembly::of(target.disassembler, &library)?);
        }
    }
    Ok(functions)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    Arm,
    Aarch64,
    X86,
    Riscv,
}

/// In the order of the bounds of [`methods::METHODS`].
pub const TARGETS: [Target; 5] = [
    Target {
        name: "armv6-none-eabi",
        architecture: Architecture::Arm,
        disassembler: "arm-linux-gnueabihf-objdump",
    },
    Target {
        name: "armv7a-none-eabi",
        architecture: Architecture::Arm,
        disassembler: "arm-linux-gnueabihf-objdump",
    },
    Target {
        name: "aarch64-unknown-none",
        architecture: Architecture::Aarch64,
        disassembler: "aarch64-linux-gnu-objdump",
    },
    Target {
        name: "x86_64-unknown-linux-gnu",
        architecture: Architecture::X86,
        disassembler: "objdump",
    },
    Target {
        name: "riscv64gc-unknown-none-elf",
        architecture: Architecture::Riscv,
        disassembler: "riscv64-linux-gnu-objdump",
    },
];

/// # Errors
///
/// See [`check`].
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    compare(root, !arguments.check)
}

/// Compares, and prints the figures.
///
/// # Errors
///
/// If a function fails. The error is returned after all comparisons. In CI, a missing tool is also an error.
pub fn check(root: &Path) -> Result<()> {
    compare(root, false)
}

fn compare(root: &Path, print: bool) -> Result<()> {
    let mut problems = Vec::new();
    for (index, target) in TARGETS.iter().enumerate() {
        let Some(toolchain) = or_skip(target.name, target.toolchain(root))? else { continue };
        let functions = build(root, &toolchain, target)?;
        problems.extend(compare::all(&functions, target, index, print)?);
    }
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}
