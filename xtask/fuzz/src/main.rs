//! `arm-pmu-fuzz`, the program behind `cargo xtask fuzz counts`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arm_pmu_fuzz::drivers::{self, Driver};
use arm_pmu_fuzz::oracle::{Checked, Failure};
use arm_pmu_fuzz::program::{Classes, Program, generate};
use arm_pmu_fuzz::shrink::shrink;

/// A program that runs for longer is a failure.
const LONGEST: Duration = Duration::from_secs(20);

/// Number of programs that a thread takes at a time.
const BATCH: u64 = 256;

const USAGE: &str = "\
Runs random programs over the public API of every driver, on the simulated devices, and checks all counts.

usage: cargo xtask fuzz counts [OPTIONS]
  --programs N     so many programs for each driver (100000 at first)
  --seconds N      for so long, all drivers together
  --seed S         the seed of the first program (1 at first); the next one has the next seed
  --driver NAME    this driver only; more than once for several
  --without CLASS  leaves a class of programs out: see below; more than once for several
  --failures N     stops after so many different failures of a driver (3 at first)
  --threads N      so many threads (as many as there are processors at first)
  --show           prints the first program and runs no other
";

struct Arguments {
    programs: u64,
    seconds: Option<u64>,
    seed: u64,
    drivers: Vec<&'static Driver>,
    classes: Classes,
    failures: usize,
    threads: usize,
    show: bool,
}

fn usage() -> String {
    let drivers: Vec<_> = drivers::ALL.iter().map(|driver| driver.name).collect();
    format!("{USAGE}drivers: {}\nclasses: {}\n", drivers.join(", "), Classes::NAMES.join(", "))
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        programs: 100_000,
        seconds: None,
        seed: 1,
        drivers: Vec::new(),
        classes: Classes::ALL,
        failures: 3,
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        show: false,
    };
    while let Some(word) = words.next() {
        if word == "--show" {
            arguments.show = true;
            continue;
        }
        let mut value = || words.next().ok_or(format!("{word}: no value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text}: no number"));
        match word.as_str() {
            "--programs" => arguments.programs = number(value()?)?,
            "--seconds" => arguments.seconds = Some(number(value()?)?),
            "--seed" => arguments.seed = number(value()?)?,
            "--failures" => arguments.failures = number(value()?)? as usize,
            "--threads" => arguments.threads = number(value()?)?.max(1) as usize,
            "--driver" => {
                let name = value()?;
                let driver = drivers::named(&name).ok_or(format!("{name}: no such driver"))?;
                arguments.drivers.push(driver);
            }
            "--without" => {
                let name = value()?;
                if !arguments.classes.without(&name) {
                    return Err(format!("{name}: no such class"));
                }
            }
            _ => return Err(format!("{word}: no such option")),
        }
    }
    if arguments.drivers.is_empty() {
        arguments.drivers = drivers::ALL.iter().collect();
    }
    Ok(arguments)
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
    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.steps += other.steps;
        self.accesses += other.accesses;
        self.checked.add(&other.checked);
        self.failures += other.failures;
        self.time += other.time;
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--help") {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprint!("{message}\n{}", usage());
            return ExitCode::FAILURE;
        }
    };
    if arguments.show {
        for driver in &arguments.drivers {
            println!("{}", generate(arguments.seed, driver.shape, arguments.classes));
        }
        return ExitCode::SUCCESS;
    }
    // A panic of a program is reported as a failure.
    std::panic::set_hook(Box::new(|_| ()));
    let begin = Instant::now();
    let share = arguments.drivers.len() as u64;
    let mut all = Vec::new();
    for driver in &arguments.drivers {
        let limit = arguments.seconds.map(|seconds| Duration::from_secs(seconds) / share as u32);
        let figures = Mutex::new(Figures::default());
        let next = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let watched: Vec<_> = (0..arguments.threads)
                .map(|_| {
                    let current = std::sync::Arc::new(AtomicU64::new(0));
                    let mine = current.clone();
                    let (figures, next, stop) = (&figures, &next, &stop);
                    let arguments = &arguments;
                    let work = scope.spawn(move || {
                        let enough = || {
                            stop.load(Ordering::Relaxed)
                                || limit.is_some_and(|limit| start.elapsed() >= limit)
                        };
                        while !enough() {
                            let first = next.fetch_add(BATCH, Ordering::Relaxed);
                            let last = match limit {
                                Some(_) => first + BATCH,
                                None => (first + BATCH).min(arguments.programs),
                            };
                            if first >= last {
                                break;
                            }
                            batch(driver, arguments, first..last, &mine, figures, stop);
                        }
                    });
                    (work, current)
                })
                .collect();
            watch(driver, &figures, &watched, start);
        });
        let figures = figures.into_inner().expect("no thread panicked");
        eprintln!("\r{:14} {:>10} programs", driver.name, figures.programs);
        all.push((*driver, figures));
    }
    let sum = report(&all);
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

/// Shows progress, and ends the process if a program does not end.
fn watch(
    driver: &Driver,
    figures: &Mutex<Figures>,
    threads: &[(std::thread::ScopedJoinHandle<'_, ()>, std::sync::Arc<AtomicU64>)],
    start: Instant,
) {
    let mut last: Vec<(u64, Instant)> = threads.iter().map(|_| (0, start)).collect();
    let mut shown = start;
    while !threads.iter().all(|(work, _)| work.is_finished()) {
        std::thread::sleep(Duration::from_millis(20));
        for ((_, current), (seed, since)) in threads.iter().zip(&mut last) {
            let now = current.load(Ordering::Relaxed);
            if now != *seed || now == 0 {
                (*seed, *since) = (now, Instant::now());
            } else if since.elapsed() > LONGEST {
                eprintln!("\n{}: the program of seed {seed} does not end", driver.name);
                std::process::exit(1);
            }
        }
        if shown.elapsed() > Duration::from_secs(1) {
            shown = Instant::now();
            if let Ok(figures) = figures.lock() {
                let (programs, failures) = (figures.programs, figures.failures);
                eprint!("\r{:14} {programs:>10} programs, {failures} failures", driver.name);
            }
        }
    }
}

/// Runs some programs. `current` shows which.
fn batch(
    driver: &Driver,
    arguments: &Arguments,
    numbers: std::ops::Range<u64>,
    current: &AtomicU64,
    figures: &Mutex<Figures>,
    stop: &AtomicBool,
) {
    let start = Instant::now();
    let mut mine = Figures::default();
    let mut failed = Vec::new();
    for number in numbers {
        let seed = arguments.seed.wrapping_add(number);
        current.store(seed.max(1), Ordering::Relaxed);
        let program = generate(seed, driver.shape, arguments.classes);
        mine.programs += 1;
        mine.steps += program.steps.len() as u64;
        match (driver.run)(&program, arguments.classes) {
            Ok(done) => {
                mine.accesses += done.accesses;
                mine.checked.add(&done.checked);
            }
            Err(failure) => {
                mine.failures += 1;
                failed.push((program, failure));
            }
        }
    }
    // Shrinking takes longer.
    current.store(0, Ordering::Relaxed);
    mine.time = start.elapsed();
    figures.lock().expect("no thread panicked").add(mine);
    for (program, failure) in failed {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let (smallest, failure) = shrink(driver, arguments.classes, &program, &failure);
        let mut figures = figures.lock().expect("no thread panicked");
        let entry = figures.smallest.entry(signature(&smallest, &failure));
        let (_, _, times) = entry.or_insert((smallest, failure, 0));
        *times += 1;
        if figures.smallest.len() >= arguments.failures {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Key of similar failures: the kind, and the calls.
fn signature(program: &Program, failure: &Failure) -> String {
    let mut text = format!("{:?}", failure.kind);
    for step in &program.steps {
        let op = format!("{:?}", step.op);
        let end = op.find([' ', '(']).unwrap_or(op.len());
        let _ = write!(text, " {}", &op[..end]);
        for traffic in &step.traffic {
            let item = format!("{:?}", traffic.item);
            let end = item.find([' ', '(']).unwrap_or(item.len());
            let _ = write!(text, "+{}", &item[..end]);
        }
    }
    text
}

/// Prints the failures and a table, and returns the sum of its rows.
fn report(all: &[(&Driver, Figures)]) -> Figures {
    for (driver, figures) in all {
        for (program, failure, times) in figures.smallest.values() {
            println!("\n{}: {} ({times} like it)", driver.name, failure.kind);
            println!("step {}: {}", failure.step, failure.what);
            println!(
                "replay: cargo xtask fuzz counts --driver {} --seed {} --programs 1",
                driver.name, program.seed
            );
            println!("{program}");
        }
    }
    println!(
        "\n{:14} {:>10} {:>11} {:>12} {:>11} {:>10} {:>10} {:>9} {:>8} {:>10} {:>8} {:>9}",
        "driver",
        "programs",
        "steps",
        "accesses",
        "exact",
        "bounds",
        "overflowed",
        "lost",
        "fault",
        "no count",
        "failures",
        "/s, core"
    );
    let mut sum = Figures::default();
    let row = |name: &str, figures: &Figures| {
        let Checked { exact, bounds, errors: [overflowed, lost, fault, none] } = figures.checked;
        let rate = figures.programs as f64 / figures.time.as_secs_f64().max(1e-9);
        println!(
            "{name:14} {:>10} {:>11} {:>12} {exact:>11} {bounds:>10} {overflowed:>10} {lost:>9} \
             {fault:>8} {none:>10} {:>8} {rate:>9.0}",
            figures.programs, figures.steps, figures.accesses, figures.failures
        );
    };
    for (driver, figures) in all {
        row(driver.name, figures);
        sum.programs += figures.programs;
        sum.steps += figures.steps;
        sum.accesses += figures.accesses;
        sum.checked.add(&figures.checked);
        sum.failures += figures.failures;
        sum.time += figures.time;
    }
    row("all", &sum);
    sum
}
