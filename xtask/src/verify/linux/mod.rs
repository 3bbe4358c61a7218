//! `cargo xtask linux` runs Debian's kernel and its `perf` on QEMU, with plain memory in place of the PMUs.
//!
//! The kernel's own drivers treat reserved memory as the registers of a CCI-400, CCI-500, CCI-550 and SMMU, and write
//! the selections of `perf` to that memory. A program in the guest, `xtask/linux/device.c`, shows the registers and
//! advances the counters.

mod board;
mod claims;
mod files;
mod guest;
mod guides;
mod packages;
mod record;
mod script;
mod system;
mod trees;

use std::path::Path;

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::verify::arm::skip;
use guest::Guest;
use system::{ARM64, ARMHF, System};

#[derive(clap::Args)]
pub struct Arguments {
    /// Use the kernel and perf of Debian's backports instead of this machine's release
    #[arg(long, global = true)]
    backports: bool,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check the claims about the kernel's drivers
    Test,
    /// Make the recordings in crates/arm-pmu-cli/tests/perf again
    Record {
        /// Only the recordings of this board, such as `cci400-r1`
        board: Option<String>,
    },
    /// Compare the cost of `arm-pmu stat` with the cost of `perf stat`
    Cost,
    /// Compare the platforms with the device trees in the kernel packages of Debian's backports
    Trees,
    /// Run commands in a guest and print what they print
    Run {
        /// The board, as `cci400-r1`
        board: String,
        /// Commands, each a shell script
        #[arg(required = true)]
        commands: Vec<String>,
    },
}

/// # Errors
///
/// Returns an error if the task fails.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let backports = arguments.backports;
    let guest = |optimized| Guest::prepare(root, &ARM64, backports, optimized);
    match &arguments.task {
        Task::Test => {
            hold(root, &guest(false)?)?;
            hold(root, &Guest::prepare(root, &ARMHF, backports, true)?)
        }
        Task::Record { board } => record::record(root, &guest(false)?, board.as_deref()),
        Task::Cost => run_commands(root, &guest(true)?, "cci400-r1", &["cost".to_owned()]),
        Task::Trees => trees::compare(root),
        Task::Run { board, commands } => run_commands(root, &guest(false)?, board, commands),
    }
}

/// Checks the claims about the kernel's drivers and 64-bit cores, if the tools are installed.
///
/// # Errors
///
/// Returns an error if a claim does not hold, or if the guest does not boot.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &ARM64, false)
}

/// Checks 32-bit cores, if the tools are installed. The programs are optimized, because without optimization the
/// command is larger than 16 MiB, and GNU ld 2.40 then clears the Thumb bit of `memcpy` in a static program.
///
/// # Errors
///
/// As [`test`].
pub fn test_32_bits(root: &Path) -> Result<()> {
    test_on(root, &ARMHF, true)
}

fn test_on(root: &Path, system: &'static System, optimized: bool) -> Result<()> {
    match guest::toolchain(root, system) {
        Ok(_) => hold(root, &Guest::prepare(root, system, false, optimized)?),
        Err(missing) => skip("claims about Linux", &missing),
    }
}

fn hold(root: &Path, guest: &Guest) -> Result<()> {
    let mut boots = claims::all(root, guest.system.architecture)?;
    if let Some(boot) = boots.iter_mut().find(|boot| boot.board.name == guides::BOARD) {
        boot.claims.extend(guides::claims(root)?);
    }
    claims::hold(guest, &boots)
}

fn run_commands(root: &Path, guest: &Guest, name: &str, commands: &[String]) -> Result<()> {
    let outputs = guest.run(&board::find(root, name)?, commands)?;
    for (command, output) in commands.iter().zip(&outputs) {
        outln!("{}", output.text.trim_end_matches('\n'));
        if output.status != 0 {
            bail!("`{command}` ended with {}", output.status);
        }
    }
    Ok(())
}
