//! `cargo xtask bench`: the build time of the crates, and the run time of the command.

mod build;
pub mod processor;
mod start;
mod statistics;
mod subject;
mod table;

use std::path::Path;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Task {
    /// Time clean debug builds of the IP crates and of published crates like them
    Build(build::Arguments),
    /// Time the command `arm-pmu`, from its start to its end
    Start(start::Arguments),
}

/// # Errors
///
/// If the task fails.
pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Build(arguments) => build::run(root, arguments),
        Task::Start(arguments) => start::run(root, arguments),
    }
}
