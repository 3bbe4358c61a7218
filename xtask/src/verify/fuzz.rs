//! `cargo xtask fuzz`: random programs against the drivers, and random specs against the generator.
//!
//! The programs are in their own package, `xtask/fuzz`, so that this one builds without drivers and
//! simulated devices.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::command::{Program, cargo};
use crate::output::outln;
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
    /// So many cases for each property; more than 5000 are run by an optimized build
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

/// Programs that CI runs for each driver, about 15 s of processor time in all. They run in the build of `cargo test`:
/// an optimized one would take longer to make.
const PROGRAMS_IN_CI: u32 = 10_000;

/// Classes that CI leaves out. If registers turn to zeros or ones and answer again within one call, all checks
/// of a driver may happen while they answer. No order of accesses can detect that.
const NOT_IN_CI: [&str; 1] = ["flicker"];

/// # Errors
///
/// If a program or property fails.
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
/// If a program or property fails.
pub fn check(root: &Path) -> Result<()> {
    let programs = PROGRAMS_IN_CI.to_string();
    let without = NOT_IN_CI.iter().flat_map(|class| ["--without", class]);
    let arguments: Vec<&str> = ["--programs", &programs].into_iter().chain(without).collect();
    let program = built::program(root, "arm-pmu-fuzz")?;
    Program::new(&program).arguments(arguments).run()
}

fn properties(root: &Path, all: &[Properties], arguments: &Cases) -> Result<()> {
    let cases = arguments.cases.to_string();
    let optimized = arguments.cases > MOST_WITHOUT_OPTIMIZATION;
    let profile = if optimized { "fuzz" } else { "test" };
    let mut rows = Vec::new();
    for (package, selected) in all {
        let start = Instant::now();
        let mut passed = None;
        let test = ["test", "--profile", profile, "--package", package];
        let status = cargo(root, &[&test[..], selected].concat())
            .env("PROPTEST_CASES", &cases)
            .run_within(Duration::from_secs(3_600), |line| {
                anstream::eprintln!("{line}");
                passed = passed_tests(line).or(passed);
            })?;
        let Some(properties) = passed.filter(|_| status.success()) else {
            bail!("{package}: a property does not hold, or the tests did not run")
        };
        rows.push((package, properties, start.elapsed()));
    }
    outln!("{:16} {:>10} {:>12} {:>8}", "package", "properties", "cases", "s");
    for (package, properties, time) in rows {
        let cases = u64::from(properties) * u64::from(arguments.cases);
        outln!("{package:16} {properties:>10} {cases:>12} {:>8.1}", time.as_secs_f64());
    }
    Ok(())
}

/// The number of tests in this line, if it is the result of a test program with at least one test.
fn passed_tests(line: &str) -> Option<u32> {
    let (_, result) = line.split_once("test result: ok. ")?;
    let (passed, _) = result.split_once(" passed")?;
    passed.parse().ok().filter(|passed| *passed > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_of_a_test_program_is_understood() {
        let line = "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 90 filtered out";
        assert_eq!(passed_tests(line), Some(7));
        assert_eq!(passed_tests("test result: ok. 0 passed; 0 failed"), None, "no such test");
        assert_eq!(passed_tests("test result: FAILED. 6 passed; 1 failed"), None);
        assert_eq!(passed_tests("running 7 tests"), None);
    }
}
