//! `cargo xtask fuzz`: tests with random cases, in any number.

use std::path::Path;

use anyhow::Result;
use clap::Subcommand;

use crate::command::cargo;
use crate::verify::built;

#[derive(Subcommand)]
pub enum Task {
    /// Run random programs over the API of every driver on simulated devices, and check all counts
    Counts(Cases),
    /// Give random specs to the generator, and random enums to the derive
    Specs(Cases),
    /// Give damaged files to the command: output of perf, dumps, device trees, platforms, SVD, recordings
    Files(Cases),
}

#[derive(clap::Args)]
pub struct Cases {
    /// Number of cases for each property, or for each kind of driver; more than 5000 use an optimized build
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u32,
}

/// Tests with random programs.
const PROGRAMS: &str = "random::";

/// With more cases, an optimized build saves more time than it takes. Other runs use the build of
/// `cargo test`.
const MOST_WITHOUT_OPTIMIZATION: u32 = 5_000;

/// Number of programs that CI runs for each kind of driver, about 10 s of processor time in all. CI uses the build of
/// `cargo test`, because an optimized build would take longer.
const PROGRAMS_IN_CI: u32 = 10_000;

pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Counts(cases) => {
            properties(root, cases, &["--package", "arm-pmu", "--test", "drivers", PROGRAMS])
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

/// Runs the random programs of CI. The tests that this skips do not depend on the number of programs.
pub fn check(root: &Path) -> Result<()> {
    let tests = built::tests(root, ["drivers"]).arguments(["--", PROGRAMS, "--skip", "found::"]);
    tests.env("PROPTEST_CASES", PROGRAMS_IN_CI.to_string()).run()
}

/// Runs the tests of some properties.
fn properties(root: &Path, Cases { cases }: &Cases, tests: &[&str]) -> Result<()> {
    let profile = if *cases > MOST_WITHOUT_OPTIMIZATION { "fuzz" } else { "test" };
    let tests = cargo(root, &[&["test", "--profile", profile], tests].concat());
    tests.env("PROPTEST_CASES", cases.to_string()).run()
}
