//! How long the command `arm-pmu` takes, from its start to its end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::statistics::median;
use crate::command::cargo;
use crate::output::outln;

#[derive(clap::Args)]
pub struct Arguments {
    /// How often each is run
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The longest of all is a search, which reads all tables.
const LINES: [&str; 4] = [
    "--version",
    "show cci550 READ_DATA_SNOOP_HIT",
    "perf cci400 S3:READ_REQUEST_ANY",
    "find snop filter miss",
];

/// More is noticed while one types.
const LONGEST: f64 = 10.0;

/// # Errors
///
/// If the command does not build or fails, or takes longer than 10 ms.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    cargo(root, &["build", "--quiet", "--release", "--package", "arm-pmu-cli"]).run()?;
    let program = root.join("target/release/arm-pmu");
    let mut slow = Vec::new();
    for line in LINES {
        let mut times = Vec::new();
        for _ in 0..arguments.runs {
            times.push(milliseconds(&program, line)?);
        }
        let time = median(&times);
        outln!("{time:5.1} ms{}  arm-pmu {line}", instructions(&program, line));
        if time > LONGEST {
            slow.push(line);
        }
    }
    if !slow.is_empty() {
        bail!("longer than {LONGEST} ms: {}", slow.join(", "));
    }
    Ok(())
}

fn milliseconds(program: &Path, line: &str) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(line.split(' ')).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
    let time = start.elapsed();
    if !status.success() {
        bail!("arm-pmu {line}: {status}");
    }
    Ok(time.as_secs_f64() * 1e3)
}

/// How many instructions of a processor it takes, if Valgrind is there to count them.
fn instructions(program: &Path, line: &str) -> String {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let Ok(output) = command.args(line.split(' ')).output() else { return String::new() };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = said.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = count.and_then(|count| count.trim().parse::<f64>().ok());
    count.map_or(String::new(), |count| format!("  {:5.1} million instructions", count / 1e6))
}
