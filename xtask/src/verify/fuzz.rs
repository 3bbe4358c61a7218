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

/// With more cases, an optimized build saves more time than it takes. Other runs use the build of
/// `cargo test`.
const MOST_WITHOUT_OPTIMIZATION: u32 = 5_000;

/// Number of programs that CI runs for each driver, about 8 s of processor time in all. CI uses the build of
/// `cargo test`, because an optimized build would take longer.
const PROGRAMS_IN_CI: u32 = 10_000;

pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Counts { arguments } => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let run = ["run", "--quiet", "--release", "--package", "arm-pmu-fuzz", "--"];
            cargo(root, &[&run[..], &arguments].concat()).run()
        }
        Task::Specs(cases) => {
            properties(root, cases, &["--package", "xtask", "--lib", "tests::fuzz::"])?;
            properties(root, cases, &["--package", "arm-pmu-derive", "--lib", "fuzz::"])
        }
        Task::Files(cases) => {
            let tests = ["--package", "arm-pmu-cli", "--test", "fuzz", "--", "--nocapture"];
            properties(root, cases, &tests)
        }
    }
}

/// Runs the random programs and properties of CI.
pub fn check(root: &Path) -> Result<()> {
    let programs = PROGRAMS_IN_CI.to_string();
    Program::new(&built::program(root, "arm-pmu-fuzz")?).arguments(["--programs", &programs]).run()
}

/// Runs the tests of some properties.
fn properties(root: &Path, Cases { cases }: &Cases, tests: &[&str]) -> Result<()> {
    let profile = if *cases > MOST_WITHOUT_OPTIMIZATION { "fuzz" } else { "test" };
    let tests = cargo(root, &[&["test", "--profile", profile], tests].concat());
    tests.env("PROPTEST_CASES", cases.to_string()).run()
}
