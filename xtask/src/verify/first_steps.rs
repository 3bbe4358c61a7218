//! The first steps of users, each from an empty directory with nothing built before, and how long they take: with
//! firmware in Rust, with Linux, and with firmware in C.
//!
//! Third-party packages are in Cargo's home already: the time is of the work, not of the network.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::starting_point::{copied, offline};
use crate::command::{Program, cargo};
use crate::output::outln;
use crate::verify::arm::{Toolchain, qemu_is_usable, skip};
use crate::verify::built;

/// How long a stranger waits.
const LIMIT: Duration = Duration::from_secs(600);

/// What a stranger did, with the time of each step.
struct Stranger<'n> {
    name: &'n str,
    steps: Vec<(String, Duration)>,
}

impl Stranger<'_> {
    fn step<T>(&mut self, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let begin = Instant::now();
        let result = work().with_context(|| format!("{}: {what}", self.name))?;
        self.steps.push((what.to_owned(), begin.elapsed()));
        Ok(result)
    }

    fn total(&self) -> Duration {
        self.steps.iter().map(|(_, time)| *time).sum()
    }
}

/// # Errors
///
/// If a step fails, prints something else than expected, or if one of the strangers waits for more than ten minutes.
pub fn test(root: &Path) -> Result<()> {
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    cargo(root, &["fetch"]).run()?;
    let mut paths = vec![simulated(root, &directory.path().join("firmware"))?];
    let tools = Toolchain::of_figures(root, "aarch64-unknown-none")
        .and_then(|toolchain| qemu_is_usable("qemu-system-aarch64").map(|()| toolchain));
    match tools {
        Ok(toolchain) => paths.push(on_qemu(root, &directory.path().join("copy"), &toolchain)?),
        Err(missing) => skip("the first steps with the starting point", &missing)?,
    }
    let linux = directory.path().join("linux");
    let (of_linux, program) = linux_user(root, &linux)?;
    let install = of_linux.steps[0].clone();
    paths.push(of_linux);
    let compiler = crate::command::output("aarch64-linux-gnu-gcc", &["--version"]);
    match (compiler, qemu_is_usable("qemu-system-aarch64")) {
        (Some(_), Ok(())) => {
            paths.push(c_user(root, &directory.path().join("c"), &program, install)?)
        }
        (_, qemu) => {
            let missing =
                qemu.err().unwrap_or_else(|| "aarch64-linux-gnu-gcc is missing".to_owned());
            skip("the first steps in C", &missing)?;
        }
    }
    outln!("\n{}", table(&paths));
    for path in &paths {
        if path.total() > LIMIT {
            bail!("{}: {} s are more than ten minutes", path.name, path.total().as_secs());
        }
    }
    Ok(())
}

/// Each path with its steps and seconds.
fn table(paths: &[Stranger]) -> String {
    let mut text = String::new();
    for path in paths {
        text += &format!("{:<66}{:>8.1} s\n", path.name, path.total().as_secs_f64());
        for (what, time) in &path.steps {
            text += &format!("  {what:<64}{:>8.1} s\n", time.as_secs_f64());
        }
    }
    text
}

/// A new project that counts on a simulated device.
fn simulated(root: &Path, place: &Path) -> Result<Stranger<'static>> {
    let mut path =
        Stranger { name: "firmware: to a number on the simulated device", steps: Vec::new() };
    path.step("cargo init, the dependencies, the program", || {
        fs::create_dir_all(place)?;
        cargo(place, &["init", "--quiet", "--name", "firmware", "--vcs", "none"]).run()?;
        let manifest = place.join("Cargo.toml");
        let text = fs::read_to_string(&manifest)?;
        let version = env!("CARGO_PKG_VERSION");
        let needs =
            format!("cci550 = \"{version}\"\n\n[dev-dependencies]\narm-pmu-sim = \"{version}\"\n");
        fs::write(&manifest, text + &needs)?;
        fs::create_dir_all(place.join("examples"))?;
        fs::copy(root.join("xtask/first-steps/simulated.rs"), place.join("examples/first.rs"))?;
        // The same versions of other packages, which are there already.
        fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
        Ok(())
    })?;
    let offline = offline(root)?;
    let text = path.step("cargo run --example first", || {
        let run = cargo(place, &["run", "--example", "first"]).arguments(&offline);
        run.env("CARGO_TARGET_DIR", place.join("target")).output()
    })?;
    ensure!(text.contains("1000") && text.contains("READ_REQUEST_ANY"), "it printed: {text}");
    Ok(path)
}

/// The starting point, copied, and run on QEMU.
fn on_qemu(root: &Path, place: &Path, toolchain: &Toolchain) -> Result<Stranger<'static>> {
    let mut path =
        Stranger { name: "firmware: the starting point, to a number on QEMU", steps: Vec::new() };
    path.step("copy it, as its README says", || copied(root, place))?;
    let text = path.step("cargo run", || {
        let run = toolchain.cargo(place, "run", &["--quiet", "--offline"]);
        run.env("CARGO_TARGET_DIR", place.join("target")).output()
    })?;
    ensure!(text.contains("INST_RETIRED"), "it printed: {text}");
    Ok(path)
}

/// The command, installed as its README says; a command for `perf`, and a report of its output.
fn linux_user(root: &Path, place: &Path) -> Result<(Stranger<'static>, PathBuf)> {
    let mut path = Stranger { name: "Linux: to a perf command and a report", steps: Vec::new() };
    fs::create_dir_all(place)?;
    path.step("cargo install --path crates/arm-pmu-cli", || {
        let arguments =
            ["install", "--quiet", "--locked", "--offline", "--path", "crates/arm-pmu-cli"];
        let install = cargo(root, &arguments).arguments(["--root"]).arguments([place]);
        install.env("CARGO_TARGET_DIR", place.join("target")).run()
    })?;
    let program = place.join("bin/arm-pmu");
    let run =
        |arguments: &[&str]| Program::new(&program).arguments(arguments).directory(place).output();
    let line = path.step("arm-pmu perf --platform zynqmp --metric SNOOP_HIT_RATE:apu", || {
        run(&["perf", "--platform", "zynqmp", "--metric", "SNOOP_HIT_RATE:apu", "--", "./work"])
    })?;
    ensure!(line.starts_with("perf stat -a -e '{CCI_400_r1/"), "it printed: {line}");
    // What that command printed on the Linux bench.
    let recorded = root.join("crates/arm-pmu-cli/tests/perf/6.12/cci400-r1/named.json");
    fs::copy(recorded, place.join("run.json")).context("a recording")?;
    let report = path.step("arm-pmu report run.json --platform zynqmp", || {
        run(&["report", "run.json", "--platform", "zynqmp"])
    })?;
    ensure!(report.contains("READ_"), "it printed: {report}");
    Ok((path, program))
}

/// The guide for C: the header, a program without an operating system, and QEMU.
const IN_C: &str = "guides/c.md";

/// What that guide calls its folder.
const FOLDER: &str = "../count";

fn c_user(
    root: &Path,
    place: &Path,
    program: &Path,
    install: (String, Duration),
) -> Result<Stranger<'static>> {
    let mut path = Stranger { name: "C: to a running image with the header", steps: vec![install] };
    by_guide(root, place, program, |line, work| path.step(line, work))?;
    Ok(path)
}

/// Follows the guide for C, with the command of this workspace.
///
/// # Errors
///
/// If a line fails, or the image counts something else.
pub fn in_c(root: &Path) -> Result<()> {
    let compiler = crate::command::output("aarch64-linux-gnu-gcc", &["--version"]);
    let compiler = compiler.map(drop).ok_or_else(|| "aarch64-linux-gnu-gcc is missing".to_owned());
    if let Err(missing) = compiler.and_then(|()| qemu_is_usable("qemu-system-aarch64")) {
        return skip("the first steps in C", &missing);
    }
    let program = built::program(root, "arm-pmu")?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    by_guide(root, &directory.path().join("count"), &program, |line, work| {
        outln!("$ {line}");
        work()
    })
}

/// Runs each line of the guide with `step`.
fn by_guide(
    root: &Path,
    place: &Path,
    program: &Path,
    mut step: impl FnMut(&str, &mut dyn FnMut() -> Result<String>) -> Result<String>,
) -> Result<()> {
    let folder = program.parent().context("a program without a folder")?;
    let path = std::env::var("PATH").context("a path")?;
    let path = format!("{}:{path}", folder.display());
    let place = place.to_str().context("a place that is not UTF-8")?;
    let root = fs::canonicalize(root)?;
    let mut last = String::new();
    for line in documents::read(&root, IN_C).shell_lines() {
        // The first line begins in the checkout, the others in the folder that it made.
        let within = if line.contains(FOLDER) { root.as_path() } else { Path::new(place) };
        let text = line.replace(FOLDER, place);
        last = step(&line, &mut || {
            let shell = Program::new("sh").arguments(["-e", "-c", &text]).directory(within);
            shell.env("PATH", &path).output()
        })?;
    }
    // Two instructions in each of 1000 loops, and a few around them.
    let count: u64 = last.trim().parse().with_context(|| format!("it printed: {last}"))?;
    ensure!((2_000..2_020).contains(&count), "it counted {count} instructions");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_step_and_the_sum() {
        let second = |what: &str| (what.to_owned(), Duration::from_millis(1_250));
        let path = Stranger { name: "C", steps: vec![second("one"), second("two")] };
        let text = table(&[path]);
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [["C", "2.5", "s"], ["one", "1.2", "s"], ["two", "1.2", "s"]]);
    }
}
