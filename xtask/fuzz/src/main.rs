//! `arm-pmu-fuzz`, the program that `cargo xtask fuzz counts` runs.

use std::fmt::Display;
use std::ops::Range;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use arm_pmu_fuzz::oracle::{Checked, Failure};
use arm_pmu_fuzz::program::{Program, generate};
use arm_pmu_fuzz::run::Done;
use arm_pmu_fuzz::shrink::shrink;
use arm_pmu_fuzz::subjects::{self, Driver, are_alike};
use clap::Parser;
use rayon::prelude::*;

/// Runs random programs over the public API of every driver, on the simulated devices, and checks all counts.
#[derive(Parser)]
#[command(bin_name = "cargo xtask fuzz counts")]
struct Arguments {
    /// Number of programs for each driver; without `--driver`, drivers of one architecture with as many counters
    /// share them
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    programs: u64,
    /// Run for this long instead, all drivers together
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Seed of the first program; the next one has the next seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Run on this driver; may be repeated
    #[arg(long = "driver", value_name = "NAME", value_parser = driver)]
    drivers: Vec<Driver>,
}

fn driver(name: &str) -> Result<Driver, String> {
    subjects::named(name).copied().ok_or_else(|| {
        let names: Vec<_> = subjects::ALL.iter().map(|driver| driver.name).collect();
        format!("the drivers are {}", names.join(", "))
    })
}

/// Number of programs between two checks of the time.
const BATCH: u64 = 4_096;

/// Results of one driver.
#[derive(Default)]
struct Figures {
    programs: u64,
    failures: u64,
    accesses: u64,
    checked: Checked,
    /// The first program that failed.
    failed: Option<(Program, Failure)>,
}

impl Figures {
    fn add(mut self, other: Self) -> Self {
        self.programs += other.programs;
        self.failures += other.failures;
        self.accesses += other.accesses;
        self.checked.add(&other.checked);
        self.failed = self.failed.or(other.failed);
        self
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    let all_share = arguments.drivers.is_empty();
    if all_share {
        arguments.drivers = subjects::ALL.to_vec();
    }
    // A panic of a program is reported as a failure.
    std::panic::set_hook(Box::new(|_| ()));
    let begin = Instant::now();
    let mut sum = Figures::default();
    println!("{}", row("driver", COLUMNS));
    for (nth, driver) in arguments.drivers.iter().enumerate() {
        let is_alike = |other: &&Driver| are_alike(other, driver);
        let before = arguments.drivers[..nth].iter().filter(is_alike).count() as u64;
        let shares = arguments.drivers.iter().filter(is_alike).count() as u64;
        let share = |part| arguments.programs * part / shares;
        let numbers =
            if all_share { share(before)..share(before + 1) } else { 0..arguments.programs };
        let figures = fuzz(driver, numbers, &arguments);
        show(driver, &figures);
        sum = sum.add(figures);
    }
    let passed = sum.failures == 0 && sum.programs > 0;
    println!(
        "fuzz result: {}. {} programs passed; {} failed; {} exact numbers checked; seeds from {}; finished in \
         {:.1} s",
        if passed { "ok" } else { "FAILED" },
        sum.programs - sum.failures,
        sum.failures,
        sum.checked.exact,
        arguments.seed,
        begin.elapsed().as_secs_f64()
    );
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the programs of one driver, until one fails.
fn fuzz(driver: &Driver, numbers: Range<u64>, arguments: &Arguments) -> Figures {
    let share = arguments.drivers.len() as u32;
    let limit = arguments.seconds.map(|seconds| Duration::from_secs(seconds) / share);
    let numbers = if limit.is_some() { 0..u64::MAX - BATCH } else { numbers };
    let start = Instant::now();
    let mut figures = Figures::default();
    for first in numbers.clone().step_by(BATCH as usize) {
        let seeds = first..(first + BATCH).min(numbers.end);
        let of_seed = |number| one(driver, arguments.seed.wrapping_add(number));
        figures =
            figures.add(seeds.into_par_iter().map(of_seed).reduce(Figures::default, Figures::add));
        if figures.failures > 0 || limit.is_some_and(|limit| start.elapsed() >= limit) {
            break;
        }
    }
    figures
}

/// Runs the program of a seed.
fn one(driver: &Driver, seed: u64) -> Figures {
    let program = generate(seed, driver.shape);
    let figures = Figures { programs: 1, ..Figures::default() };
    match (driver.run)(&program) {
        Ok(Done { accesses, checked }) => Figures { accesses, checked, ..figures },
        Err(failure) => Figures { failures: 1, failed: Some((program, failure)), ..figures },
    }
}

const COLUMNS: [&str; 9] = [
    "programs",
    "accesses",
    "exact",
    "bounds",
    "overflowed",
    "disturbed",
    "bus error",
    "no count",
    "failures",
];

fn row<T: Display>(name: &str, columns: [T; 9]) -> String {
    columns.into_iter().fold(format!("{name:15}"), |row, column| format!("{row} {column:>10}"))
}

/// The row of a driver, and its first failure.
fn show(driver: &Driver, figures: &Figures) {
    let Driver { name, .. } = driver;
    let Figures { programs, accesses, checked, failures, failed } = figures;
    let Checked { exact, bounds, errors: [overflowed, disturbed, error, none] } = checked;
    let columns = [programs, accesses, exact, bounds, overflowed, disturbed, error, none, failures];
    println!("{}", row(name, columns));
    if let Some((program, failure)) = failed {
        let seed = program.seed;
        let (program, failure) = shrink(driver, program, failure);
        println!("\n{name}: {}", failure.kind);
        println!("step {}: {}", failure.step, failure.what);
        println!("replay: cargo xtask fuzz counts --driver {name} --seed {seed} --programs 1");
        println!("{program}");
    }
}
