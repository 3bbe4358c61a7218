//! `cargo xtask asm`: what the typed API compiles to, beside what is written by hand, and whether the
//! CP15 instructions are encoded as the architecture says.
//!
//! # How two functions are compared
//!
//! `xtask/asm` holds pairs of functions. Both are compiled in release for each target, and the
//! disassemblies that GNU objdump gives are brought into a form in which only what matters is left
//! ([`normal`]): registers are numbered in the order in which they appear, so are the targets of
//! branches, and instructions that only set up or give up the stack frame are left out. Then
//!
//! - two functions of single accesses have to be the same, instruction by instruction, on Arm and on
//!   RISC-V, where in addition every fence of ours has to order devices as well as main memory; on
//!   x86_64, which may put an operand into the instruction or not, they have to make the same accesses
//!   to the device in the same order with as many instructions; none may change an address, as what a
//!   hypervisor emulates may not;
//! - a method of a driver may be longer than the one by hand, where there is a reason for it, by no more
//!   than is stored with the [case](cases::CASES). Its size is that of all functions that it may call.
//!
//! That drivers and hand-written versions do the same at run time, access by access, is a test of
//! `xtask/asm`.

mod build;
mod cases;
mod compare;
mod disassembly;
mod encodings;
mod normal;
mod object_file;
mod report;

use std::path::Path;

use anyhow::{Result, bail};

use crate::command::output;
use crate::output::out;
use crate::verify::arm::{Toolchain, skip};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only compare, and print the figures; else both versions of each case are printed side by side
    #[arg(long)]
    check: bool,
}

/// A target, and what disassembles for it.
pub struct Target {
    pub name: &'static str,
    pub architecture: Architecture,
    pub disassembler: &'static str,
}

impl Target {
    /// What builds for it, if the result can be read too; else, what is missing.
    fn toolchain(&self) -> Result<Toolchain, String> {
        let disassembler = self.disassembler;
        output(disassembler, &["--version"])
            .ok_or_else(|| format!("there is no {disassembler}"))?;
        Toolchain::of_figures(self.name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    Arm,
    Aarch64,
    X86,
    Riscv,
}

/// In the order of the figures of [`cases::CASES`].
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
/// If a case is not as it should be, or an instruction is not encoded as it should be; all are
/// compared before. In CI also if a tool is missing.
pub fn check(root: &Path) -> Result<()> {
    compare(root, false)
}

fn compare(root: &Path, print: bool) -> Result<()> {
    let mut problems = Vec::new();
    let mut report = report::Report::default();
    for (index, target) in TARGETS.iter().enumerate() {
        let toolchain = match target.toolchain() {
            Ok(toolchain) => toolchain,
            Err(missing) => {
                skip(target.name, &missing)?;
                continue;
            }
        };
        let program = build::build(root, &toolchain, target)?;
        problems.extend(compare::all(&program, target, index, print, &mut report)?);
        if target.architecture == Architecture::Arm {
            problems.extend(encodings::check(root, target.name, &program)?);
        }
    }
    out!("{report}");
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}
