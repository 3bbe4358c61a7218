//! `arm-pmu-fuzz`, the program that `cargo xtask fuzz counts` runs.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use arm_pmu_fuzz::oracle::{Checked, Failure};
use arm_pmu_fuzz::program::{Class, Classes, Program, generate};
use arm_pmu_fuzz::shrink::shrink;
use arm_pmu_fuzz::subjects::{self, Driver};
use clap::Parser;

/// Number of programs that a thread takes at a time.
const BATCH: u64 = 256;

/// Runs random programs over the public API of every driver, on the simulated devices, and checks all counts.
#[derive(Parser)]
#[command(bin_name = "cargo xtask fuzz counts")]
struct Arguments {
    /// Number of programs for each driver
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
    /// Leave out a class of programs; may be repeated
    #[arg(long, value_name = "CLASS")]
    without: Vec<Class>,
    /// Stop after this number of different failures of a driver
    #[arg(long, value_name = "N", default_value_t = 3)]
    failures: usize,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = available_parallelism().map_or(1, Into::into))]
    threads: usize,
    /// Print the first program, and run none
    #[arg(long)]
    show: bool,
}

fn driver(name: &str) -> Result<Driver, String> {
    subjects::named(name).copied().ok_or_else(|| {
        let names: Vec<_> = subjects::ALL.iter().map(|driver| driver.name).collect();
        format!("the drivers are {}", names.join(", "))
    })
}

/// Results of one driver.
#[derive(Debug, Default)]
struct Figures {
    programs: u64,
    steps: u64,
    accesses: u64,
    checked: Checked,
    failures: u64,
    /// The smallest programs that failed, by their calls.
    smallest: HashMap<String, (Program, Failure, u64)>,
    time: Duration,
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.programs += other.programs;
        self.steps += other.steps;
        self.accesses += other.accesses;
        self.checked.add(&other.checked);
        self.failures += other.failures;
        self.time += other.time;
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    if arguments.drivers.is_empty() {
        arguments.drivers = subjects::ALL.to_vec();
    }
    let leave_out = |classes: Classes, class: &Class| classes.without(*class);
    let classes = arguments.without.iter().fold(Classes::ALL, leave_out);
    if arguments.show {
        for driver in &arguments.drivers {
            println!("{}", generate(arguments.seed, driver.shape, classes));
        }
        return ExitCode::SUCCESS;
    }
    // A panic of a program is reported as a failure.
    std::panic::set_hook(Box::new(|_| ()));
    let begin = Instant::now();
    let (mut rows, mut sum) = (Vec::new(), Figures::default());
    for driver in &arguments.drivers {
        let figures = fuzz(driver, &arguments, classes);
        eprintln!("{:14} {:>10} programs", driver.name, figures.programs);
        sum.add(&figures);
        rows.push((driver.name, figures));
    }
    for (name, figures) in &rows {
        show_failures(name, figures);
    }
    rows.push(("all", sum));
    show_table(&rows);
    let (_, sum) = &rows[rows.len() - 1];
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

/// Runs the programs of one driver.
fn fuzz(driver: &Driver, arguments: &Arguments, classes: Classes) -> Figures {
    let share = arguments.drivers.len() as u32;
    let limit = arguments.seconds.map(|seconds| Duration::from_secs(seconds) / share);
    let programs = if limit.is_some() { u64::MAX - BATCH } else { arguments.programs };
    let figures = Mutex::new(Figures::default());
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let start = Instant::now();
    let ended = || stop.load(Relaxed) || limit.is_some_and(|limit| start.elapsed() >= limit);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            scope.spawn(|| {
                while !ended() {
                    let first = next.fetch_add(BATCH, Relaxed);
                    if first >= programs {
                        break;
                    }
                    let seeds = (first..(first + BATCH).min(programs))
                        .map(|number| arguments.seed.wrapping_add(number));
                    let failed = batch(driver, seeds, classes, &figures);
                    for (program, failure) in failed {
                        if stop.load(Relaxed) {
                            break;
                        }
                        let (smallest, failure) = shrink(driver, classes, &program, &failure);
                        let mut figures = figures.lock().expect("no thread panicked");
                        let entry = figures.smallest.entry(signature(&smallest, &failure));
                        entry.or_insert((smallest, failure, 0)).2 += 1;
                        stop.fetch_or(figures.smallest.len() >= arguments.failures, Relaxed);
                    }
                }
            });
        }
    });
    figures.into_inner().expect("no thread panicked")
}

/// Runs the programs of these seeds, and returns the failures.
fn batch(
    driver: &Driver,
    seeds: impl Iterator<Item = u64>,
    classes: Classes,
    figures: &Mutex<Figures>,
) -> Vec<(Program, Failure)> {
    let start = Instant::now();
    let mut mine = Figures::default();
    let mut failed = Vec::new();
    for seed in seeds {
        let program = generate(seed, driver.shape, classes);
        mine.programs += 1;
        mine.steps += program.steps.len() as u64;
        match (driver.run)(&program, classes) {
            Ok(done) => {
                mine.accesses += done.accesses;
                mine.checked.add(&done.checked);
            }
            Err(failure) => failed.push((program, failure)),
        }
    }
    mine.failures = failed.len() as u64;
    mine.time = start.elapsed();
    figures.lock().expect("no thread panicked").add(&mine);
    failed
}

/// Key of similar failures: the kind, and the calls.
fn signature(program: &Program, failure: &Failure) -> String {
    let name = |text: String| text.split([' ', '(']).next().unwrap_or_default().to_owned();
    let mut text = format!("{:?}", failure.kind);
    for step in &program.steps {
        let _ = write!(text, " {}", name(format!("{:?}", step.op)));
        for traffic in &step.traffic {
            let _ = write!(text, "+{}", name(format!("{:?}", traffic.item)));
        }
    }
    text
}

fn show_failures(name: &str, figures: &Figures) {
    for (program, failure, times) in figures.smallest.values() {
        println!("\n{name}: {} ({times} like it)", failure.kind);
        println!("step {}: {}", failure.step, failure.what);
        let seed = program.seed;
        println!("replay: cargo xtask fuzz counts --driver {name} --seed {seed} --programs 1");
        println!("{program}");
    }
}

fn show_table(rows: &[(&str, Figures)]) {
    println!(
        "\ndriver           programs       steps     accesses       exact     bounds overflowed      lost    \
         fault   no count failures  /s, core"
    );
    for (name, figures) in rows {
        let Figures { programs, steps, accesses, checked, failures, time, .. } = figures;
        let Checked { exact, bounds, errors: [overflowed, lost, fault, none] } = checked;
        let rate = *programs as f64 / time.as_secs_f64().max(1e-9);
        println!(
            "{name:14} {programs:>10} {steps:>11} {accesses:>12} {exact:>11} {bounds:>10} {overflowed:>10} \
             {lost:>9} {fault:>8} {none:>10} {failures:>8} {rate:>9.0}"
        );
    }
}
