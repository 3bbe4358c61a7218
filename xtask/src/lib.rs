//! The tasks of this workspace: `cargo xtask <task>`.
//!
//! `generate` makes files from the specs, and `verify` tests and measures the results. Both use `command`.
//!
//! The main task is `gen`: specs (`specs/<ip>/*.yaml`) are read and checked (`spec`, `check`), become
//! a `model`, and are emitted as Rust (`emit`) into `crates/<ip>/src/generated` (`files`).

#![warn(clippy::print_stdout, clippy::print_stderr)]

/// Prints like `print!`, in colour on a terminal.
macro_rules! out {
    ($($text:tt)*) => { $crate::print(format_args!($($text)*)) };
}

/// Prints like `println!`, in colour on a terminal.
macro_rules! outln {
    ($($text:tt)*) => { out!("{}\n", format_args!($($text)*)) };
}

mod command;
mod generate;
#[cfg(test)]
mod tests;
mod verify;

use std::fmt::Arguments as Text;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::generate::{r#gen, new, site};
use crate::verify::{api, arm, asm, bench, ci, fuzz, linux, size, store};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "The tasks of this workspace",
    version
)]
struct Arguments {
    /// Root of the workspace.
    #[arg(long, global = true, value_name = "DIR", default_value_os_t = this_workspace(), hide_default_value = true)]
    root: PathBuf,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make the generated parts of the IP crates from the specs
    Gen(r#gen::Arguments),
    /// Make the skeleton of a new IP: specs, crate, simulated device, tests
    New(new::Arguments),
    /// Build for Arm targets, and test on QEMU
    #[command(subcommand)]
    Arm(arm::Task),
    /// Store the public items of the libraries, or compare them
    Api(api::Arguments),
    /// Compare the machine code of the typed API with hand-written code
    Asm(asm::Arguments),
    /// Measure the build time of the crates
    #[command(subcommand)]
    Bench(bench::Task),
    /// Compare the smallest programs with C programs
    Size(size::Arguments),
    /// Run random programs and random specs, and check the results
    #[command(subcommand)]
    Fuzz(fuzz::Task),
    /// Run Debian's kernel and `perf` on QEMU, with memory in place of PMU registers
    Linux(linux::Arguments),
    /// Make the reference pages in `target/site`
    Site,
    /// Store the outputs of all tests, as they are now
    Store(store::Arguments),
    /// Run all checks that have to pass before a change lands
    Ci(ci::Arguments),
}

/// Runs the task that the command line names.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = &arguments.root;
    let result = match &arguments.task {
        Task::Gen(arguments) => r#gen::run(root, arguments),
        Task::New(arguments) => new::run(root, arguments),
        Task::Arm(task) => arm::run(root, task),
        Task::Api(arguments) => api::run(root, arguments),
        Task::Asm(arguments) => asm::run(root, arguments),
        Task::Bench(task) => bench::run(root, task),
        Task::Size(arguments) => size::run(root, arguments),
        Task::Fuzz(task) => fuzz::run(root, task),
        Task::Linux(arguments) => linux::run(root, arguments),
        Task::Site => site::run(root),
        Task::Store(arguments) => store::run(root, arguments),
        Task::Ci(arguments) => ci::run(root, arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints to standard output. A closed reader, as in `.. | head`, does not stop a task.
fn print(text: Text<'_>) {
    let mut output = anstream::stdout();
    match output.write_fmt(text).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("standard output: {error}"),
        _ => {}
    }
}

/// Returns the workspace in which this program was built.
fn this_workspace() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    own.parent().map_or(own.clone(), PathBuf::from)
}
