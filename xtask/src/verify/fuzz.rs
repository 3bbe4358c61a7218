//! `cargo xtask fuzz`: random programs against the drivers, and random specs against the generator.
//!
//! The programs are in their own package, `xtask/fuzz`, so that xtask builds without drivers and
//! simulated devices.

use std::path::Path;

use anyhow::Result;
use clap::Subcommand;

use crate::command::{Program, cargo};
use crate::verify::built;

#[derive(Subcommand)]
pub enum Task {
    /// Run random programs over the API of every driver on simulated devices, and check all counts
    #[command(disable_help_flag = true)]
    Counts {
        /// Options of the program; `--help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Give random specs to the generator, and random enums to the derive
    Specs(Cases),
    /// Give damaged files to the command: output of perf, dumps, device trees, platforms, SVD, recordings
    Files(Cases),
}

#[derive(clap::Args)]
pub struct Cases {
    /// Number of cases for each property; more than 5000 use an optimized build
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u32,
}

/// Properties: a package, and the arguments of `cargo test` that select their tests.
type Properties = (&'static str, &'static [&'static str]);
const OF_SPECS: [Properties; 2] =
    [("xtask", &["--lib", "tests::fuzz::"]), ("arm-pmu-derive", &["--lib", "fuzz::"])];
const OF_FILES: [Properties; 1] = [("arm-pmu-cli", &["--test", "fuzz", "--", "--nocapture"])];

/// With more cases, an optimized build saves more time than it takes. Other runs use the build of
/// `cargo test`.
const MOST_WITHOUT_OPTIMIZATION: u32 = 5_000;

/// Number of programs that CI runs for each driver, about 8 s of processor time in all. CI uses the build of
/// `cargo test`, because an optimized build would take longer.
const PROGRAMS_IN_CI: u32 = 10_000;

/// # Errors
///
/// Returns an error if a program or property fails.
pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Counts { arguments } => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let run = ["run", "--quiet", "--release", "--package", "arm-pmu-fuzz", "--"];
            cargo(root, &[&run[..], &arguments].concat()).run()
        }
        Task::Specs(arguments) => properties(root, &OF_SPECS, arguments),
        Task::Files(arguments) => properties(root, &OF_FILES, arguments),
    }
}

/// Runs the random programs and properties of CI.
///
/// # Errors
///
/// Returns an error if a program or property fails.
pub fn check(root: &Path) -> Result<()> {
    let programs = PROGRAMS_IN_CI.to_string();
    Program::new(&built::program(root, "arm-pmu-fuzz")?).arguments(["--programs", &programs]).run()
}

fn properties(root: &Path, all: &[Properties], arguments: &Cases) -> Result<()> {
    let optimized = arguments.cases > MOST_WITHOUT_OPTIMIZATION;
    let profile = if optimized { "fuzz" } else { "test" };
    for (package, selected) in all {
        let test = ["test", "--profile", profile, "--package", package];
        let tests = cargo(root, &[&test[..], selected].concat());
        tests.env("PROPTEST_CASES", arguments.cases.to_string()).run()?;
    }
    Ok(())
}
