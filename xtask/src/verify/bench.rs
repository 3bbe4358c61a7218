//! `cargo xtask bench`: the build time of the crates, and the run time of the command, by hyperfine.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use clap::Subcommand;
use serde::Deserialize;
use serde_json::Value;

use crate::command::{Program, cargo};
use crate::generate::load;

#[derive(Subcommand)]
pub enum Task {
    /// Time clean debug builds of the IP crates and of similar published crates
    Build {
        /// Number of runs
        #[arg(long, default_value_t = 5)]
        runs: u32,
    },
    /// Time the command `arm-pmu`, from its start to its end
    Start {
        /// Number of runs
        #[arg(long, default_value_t = 500)]
        runs: u32,
    },
}

pub fn run(root: &Path, task: &Task) -> Result<()> {
    let root = root.canonicalize()?;
    match task {
        Task::Build { runs } => build(&root, *runs),
        Task::Start { runs } => start(&root, *runs),
    }
}

/// Times of one command in seconds.
#[derive(Deserialize)]
struct Times {
    command: String,
    median: f64,
    user: f64,
    system: f64,
}

/// Runs hyperfine, and stores its results in `target/bench.json`.
fn hyperfine(root: &Path, runs: u32, arguments: &[String]) -> Result<Vec<Times>> {
    let (file, runs) = (root.join("target/bench.json"), runs.to_string());
    let program = Program::new("hyperfine").arguments(["--shell=none", "--runs", &runs]);
    let program = program.arguments(["--export-json".as_ref(), file.as_os_str()]);
    // Cargo compiles registry crates without incremental builds; our crates are path dependencies
    // here.
    program.arguments(arguments).env("CARGO_INCREMENTAL", "0").run()?;
    let mut results: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
    Ok(serde_json::from_value(results["results"].take())?)
}

/// Published crates to compare with: a driver of the same interconnects, and a crate of typed system registers.
const PUBLISHED: [(&str, &str); 2] = [("arm-cci", "0.2.1"), ("aarch32-cpu", "0.4.0")];

/// Measures the time of clean builds for the host. Each build compiles a one-line crate that depends on the measured
/// crate. Code that needs an Arm processor, in `aarch32-cpu` and in our crates, is not compiled on the host.
fn build(root: &Path, runs: u32) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let mut packages: Vec<_> =
        PUBLISHED.map(|(name, version)| (name.to_owned(), format!("\"={version}\""))).into();
    for name in load::names(root)? {
        let path = format!("{{ path = {:?} }}", root.join("crates").join(&name));
        packages.push((name, path));
    }
    let mut arguments = Vec::new();
    for (name, dependency) in &packages {
        let user = directory.path().join(name);
        fs::create_dir_all(user.join("src"))?;
        let library = format!("pub use {} as used;\n", name.replace('-', "_"));
        fs::write(user.join("src/lib.rs"), library)?;
        let manifest = format!(
            "[package]\nname = \"user\"\nedition = \"2024\"\n\n\
             [dependencies]\n{name} = {dependency}\n\n[workspace]\n"
        );
        fs::write(user.join("Cargo.toml"), manifest)?;
        cargo(&user, &["fetch", "--quiet"]).run()?;
        arguments.extend([
            format!("--prepare=rm -rf {}/target", user.display()),
            format!("--command-name={name}"),
            format!("cargo build --offline --quiet --manifest-path {}/Cargo.toml", user.display()),
        ]);
    }
    let times = hyperfine(root, runs, &arguments)?;
    let processor = |times: &Times| times.user + times.system;
    let (published, _) = times.split_at(PUBLISHED.len());
    let least = |of: fn(&Times) -> f64| published.iter().map(of).fold(f64::INFINITY, f64::min);
    let (clock, all) = (least(|times| times.median), least(processor));
    outln!(
        "elapsed seconds (median) and processor seconds (mean), with ratios to the fastest published crate"
    );
    for times in &times {
        let (median, processor) = (times.median, processor(times));
        outln!(
            "{:14} {median:6.2} {:5.2}  {processor:6.2} {:5.2}",
            times.command,
            median / clock,
            processor / all
        );
    }
    Ok(())
}

/// A search takes longest, because it reads all tables.
const LINES: [&str; 4] = [
    "--version",
    "show cci550 READ_DATA_SNOOP_HIT",
    "perf cci400 S3:READ_REQUEST_ANY",
    "find snop filter miss",
];

/// A wait of more than 10 ms is noticeable while typing.
const LONGEST: f64 = 0.010;

fn start(root: &Path, runs: u32) -> Result<()> {
    cargo(root, &["build", "--quiet", "--release", "--package", "arm-pmu-cli"]).run()?;
    let program = root.join("target/release/arm-pmu");
    let lines = LINES.map(|line| format!("{} {line}", program.display()));
    let times = hyperfine(root, runs, &lines)?;
    let slow = times.iter().filter(|times| times.median > LONGEST);
    let slow: Vec<_> = slow.map(|times| times.command.as_str()).collect();
    ensure!(slow.is_empty(), "longer than {LONGEST} s: {}", slow.join(", "));
    Ok(())
}
