//! Tests `starting-point/` as a user has it: copied to a separate directory, built and run with
//! `cargo run`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use documents::without_numbers;
use toml_edit::{DocumentMut, Item};

use crate::command::{Program, cargo};
use crate::verify::arm::{Toolchain, or_skip, qemu_is_usable};

/// Targets, and the emulator that the project uses for each target.
const TARGETS: [(&str, &str); 2] =
    [("aarch64-unknown-none", "qemu-system-aarch64"), ("armv7a-none-eabi", "qemu-system-arm")];

/// README with the commands and their output.
const README: &str = "starting-point/README.md";

/// Name of the copy, as the README states it.
const COPY: &str = "../firmware";

/// The project in the copy that uses Embassy.
const EMBASSY: &str = "embassy/Cargo.toml";

/// Guide that explains how to adapt the project to a board.
const GUIDE: &str = "guides/zynqmp-firmware.md";

/// Command that runs a program on QEMU's model of a board with the guide's chip.
const ZCU102: &str =
    "qemu-system-aarch64 -M xlnx-zcu102 -icount shift=0,sleep=off -nographic -audio none -kernel";

/// A file in the copy of `starting-point`, and the line that it needs for a board without an
/// interconnect.
const BOARD: &str = "src/bin/check/board.rs";
const NO_INTERCONNECT: &str = "INTERCONNECT: Option<usize> = None;";

/// Memory of `virt` that no program uses.
const RAM: u32 = 0x4700_0000;

/// Registers of a CCI-400 r1 that memory can imitate: PMCR with four counters, and PID0 to PID2.
const IDENTITY: [(u32, u32); 4] = [(0x100, 0x2000), (0xFE0, 0x20), (0xFE4, 0xB4), (0xFE8, 0x6B)];

/// Lowest number of instructions of the work: each iteration of its loop takes several.
const INSTRUCTIONS: u64 = 1_000 * 3;

/// Time limit for a program. A program takes less than a second, but much longer on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

/// Copies the project as its README describes, runs the copy for each target, and compares the
/// output with the README.
pub fn test(root: &Path) -> Result<()> {
    let copy = root.join("target/starting-point");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    cargo(root, &["fetch"]).run()?;
    let readme = documents::read(root, README);
    let Ok([printed, checked, sampled, of_tasks]) = <[String; 4]>::try_from(readme.code("text"))
    else {
        bail!("{README} does not have exactly four outputs")
    };
    let is_run = |line: &String| line.starts_with("cargo run");
    let mut preparation = readme.shell_lines();
    let first =
        preparation.iter().position(is_run).with_context(|| format!("no run in {README}"))?;
    let (runs, naming): (Vec<_>, Vec<_>) =
        preparation.split_off(first).into_iter().partition(is_run);
    make_copy(root, &copy, preparation)?;
    cargo(&copy, &["fmt", "--check"]).run()?;
    cargo(&copy, &["fmt", "--check", "--manifest-path", EMBASSY]).run()?;
    // The packages of the Embassy project are not in the lock file.
    cargo(&copy, &["fetch", "--manifest-path", EMBASSY]).run()?;
    let default = setting(&copy, &["build", "target"])?;
    let mut projects = Vec::new();
    for (target, emulator) in TARGETS {
        let tools = Toolchain::of_figures(root, target)
            .and_then(|toolchain| qemu_is_usable(emulator).map(|()| toolchain));
        let Some(toolchain) = or_skip(&format!("the starting point for {target}"), tools)? else {
            continue;
        };
        let project = Project { root, copy: &copy, toolchain };
        project.cargo("build", OFFLINE).run()?;
        let mut names = Vec::new();
        for run in &runs {
            let line = documents::without_remark(run).split(" | ").next().unwrap_or_default();
            let (line, of) = line.split_once(" --target ").unwrap_or((line, &default));
            if of != target {
                continue;
            }
            let arguments: Vec<_> = line.split(' ').skip(2).collect();
            let lines = project.run(&arguments, None)?;
            let name = arguments.last().copied().unwrap_or_default();
            match name {
                "check" => compare_check(&lines, &checked)?,
                EMBASSY => compare_tasks(&lines, &of_tasks)?,
                "sample" => project.compare_samples(&lines, &naming, &sampled)?,
                _ => compare(&lines, &printed)?,
            }
            names.push(name);
        }
        ensure!(
            names == ["", "check", "sample", EMBASSY],
            "{README}: unexpected programs for {target}: {names:?}"
        );
        projects.push(project);
    }
    // The next tests are about code that is the same for all targets, so they run for one target
    // only.
    for project in projects.iter().filter(|project| project.toolchain.target() == TARGETS[0].0) {
        with_short_period(project)?;
        with_interconnect(project)?;
        on_zcu102(project, &printed)?;
    }
    Ok(())
}

/// Cargo downloads nothing and prints no progress.
const OFFLINE: &[&str] = &["--quiet", "--offline"];

/// The copied project, and the toolchain that builds it for one target.
struct Project<'p> {
    root: &'p Path,
    copy: &'p Path,
    toolchain: Toolchain,
}

impl Project<'_> {
    fn cargo(&self, subcommand: &str, arguments: &[&str]) -> Program {
        let cargo = self.toolchain.cargo(self.copy, subcommand, arguments);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target/arm"))
    }

    /// Runs a program and returns its output.
    fn run(&self, arguments: &[&str], runner: Option<&str>) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        let mut run = self.cargo("run", &[OFFLINE, arguments].concat());
        if let Some(runner) = runner {
            run = run.env(&self.toolchain.variable("RUNNER"), runner);
        }
        let status = run.run_within(LIMIT, |line| lines.push(line.to_owned()))?;
        let target = self.toolchain.target();
        outln!("{target}, `cargo run {}`, which ended with {status}:", arguments.join(" "));
        outln!("{}", lines.join("\n"));
        Ok(lines)
    }

    /// Runs the lines of the README that find the names of the sampled functions, and compares each function's share of
    /// the samples.
    fn compare_samples(&self, lines: &[String], naming: &[String], sampled: &str) -> Result<()> {
        fs::write(self.copy.join("samples.txt"), profile(lines).join("\n") + "\n")?;
        let target = self.root.join("target/arm").join(self.toolchain.target());
        let made = |line: &String| {
            line.replace(&format!("target/{}", TARGETS[0].0), &target.to_string_lossy())
        };
        let naming: Vec<_> =
            naming.iter().filter(|line| !line.contains("flamegraph")).map(made).collect();
        Program::shell(&naming.join("\n")).directory(self.copy).run()?;
        let folded = fs::read_to_string(self.copy.join("folded.txt"))?;
        let all = folded.lines().map(samples_of).collect::<Result<Vec<_>>>()?;
        let total: u64 = all.iter().map(|(_, samples)| samples).sum();
        ensure!(total >= SAMPLES, "{total} samples");
        ensure!(!folded.contains('['), "samples are missing: {folded}");
        for ((function, share), line) in SHARES.into_iter().zip(sampled.lines()) {
            let found = all.iter().filter(|(name, _)| *name == function);
            let found: u64 = found.map(|(_, samples)| samples).sum();
            outln!("{function}: {found} of {total} samples");
            let (name, printed) = samples_of(line)?;
            ensure!(name == function, "{README} has {name}, not {function}");
            for (samples, total) in [(found, total), (printed, SAMPLES)] {
                // The difference is at most 2 % of all samples.
                let difference = (samples * 100).abs_diff(share * total);
                ensure!(difference <= 2 * total, "{function}: {samples} of {total}, not {share} %");
            }
        }
        Ok(())
    }

    /// Replaces a text in a file of the copy.
    fn change(&self, file: &str, old: &str, new: &str) -> Result<()> {
        let path = self.copy.join(file);
        let text = fs::read_to_string(&path).with_context(|| file.to_owned())?;
        ensure!(text.contains(old), "{file} has no `{old}`");
        Ok(fs::write(path, text.replace(old, new))?)
    }
}

/// Functions of the program `sample`, and the percentage of its work that each function does.
const SHARES: [(&str, u64); 3] =
    [("sample::sixty_percent", 60), ("sample::thirty_percent", 30), ("sample::ten_percent", 10)];

/// Lowest number of samples of `sample`.
const SAMPLES: u64 = 100_000;

/// Returns the number at the end of a line of folded stacks, after the name.
fn samples_of(line: &str) -> Result<(&str, u64)> {
    let (name, samples) = line.rsplit_once(' ').with_context(|| format!("no count: {line}"))?;
    Ok((name, samples.parse().with_context(|| line.to_owned())?))
}

/// Returns the lines of a profile, without a warning of the emulator.
fn profile(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| !line.starts_with("qemu-")).collect()
}

/// Runs `sample` with a period that is too short for its ring: each sample is found or reported as lost.
fn with_short_period(project: &Project) -> Result<()> {
    let period = "NonZeroU32::new(10_000)";
    project.change("src/bin/sample/main.rs", period, "NonZeroU32::new(1_000)")?;
    let lines = project.run(&["--release", "--bin", "sample"], None)?;
    let all = profile(&lines).into_iter().map(samples_of).collect::<Result<Vec<_>>>()?;
    let total: u64 = all.iter().map(|(_, samples)| samples).sum();
    let lost = all.iter().find(|(name, samples)| *name == "[lost]" && *samples > 0);
    ensure!(lost.is_some() && total >= SAMPLES, "no loss in {total} samples: {all:?}");
    Ok(())
}

/// Runs these shell lines to make the copy, then copies Cargo.lock, so that the copy uses package
/// versions that are already downloaded.
fn make_copy(root: &Path, to: &Path, lines: Vec<String>) -> Result<()> {
    let place = to.to_str().context("the path of the copy is not UTF-8")?;
    // The compiler's targets, and the other compiler for the figures, are already installed.
    let lines = lines.iter().filter(|line| !line.starts_with("rustup "));
    let lines: Vec<_> = lines.map(|line| line.replace(COPY, place)).collect();
    ensure!(
        lines.iter().any(|line| line.contains(place)),
        "no command of {README} makes the copy {COPY}"
    );
    Program::shell(&lines.join("\n")).directory(&fs::canonicalize(root)?).run()?;
    fs::copy(root.join("Cargo.lock"), to.join("Cargo.lock"))?;
    // Removes build output that was copied.
    let built = to.join("target");
    if built.exists() {
        fs::remove_dir_all(built)?;
    }
    Ok(())
}

/// Returns a Cargo setting of the copy.
fn setting(copy: &Path, keys: &[&str]) -> Result<String> {
    let settings: DocumentMut = fs::read_to_string(copy.join(".cargo/config.toml"))?.parse()?;
    let value = keys.iter().try_fold(settings.as_item(), |item, key| item.get(key));
    let value = value.and_then(Item::as_str).with_context(|| format!("no {keys:?}"))?;
    Ok(value.to_owned())
}

/// Runs `check` with the address of a CCI-400, where the emulator has memory. If the memory does
/// not contain the identification of a CCI-400, the driver rejects the device. If it does, the
/// driver programs all registers, but no count is valid, because a write to memory does not clear
/// overflow flags.
fn with_interconnect(project: &Project) -> Result<()> {
    let plain = setting(project.copy, &["target", project.toolchain.target(), "runner"])?;
    let words = IDENTITY.map(|(offset, value)| {
        format!("-device loader,addr={:#x},data={value:#x},data-len=4", RAM + offset)
    });
    let identified = plain.replace(" -kernel", &format!(" {} -kernel", words.join(" ")));
    let with = NO_INTERCONNECT.replace("None", &format!("Some({RAM:#x})"));
    project.change(BOARD, NO_INTERCONNECT, &with)?;
    let [refused, programmed] =
        [None, Some(&*identified)].map(|runner| project.run(&["--bin", "check"], runner));
    let (refused, programmed) = (refused?, programmed?);
    project.change(BOARD, &with, NO_INTERCONNECT)?;
    let why = format!("cannot create a driver for the CCI-400 at {RAM:#x}: ");
    ensure!(refused.iter().any(|line| line.starts_with(&why)), "`check` does not say `{why}..`");
    for (pass, event) in [("read", "S3:READ_REQUEST_ANY"), ("write", "S3:WRITE_REQUEST_ANY")] {
        let row = programmed.iter().find(|line| line.contains(event));
        let row = row.with_context(|| format!("`check` has no row of {event}"))?;
        let is_refused = row.starts_with(pass) && row.ends_with("NOT COUNTED");
        ensure!(
            is_refused,
            "in place of the CCI-400, there is only memory, but `check` printed: {row}"
        );
    }
    Ok(())
}

/// Runs the project with the lines of the guide on QEMU's model of the board, which has the same UART, memory and core.
/// The model has no CCI-400, so `check` is only built.
fn on_zcu102(project: &Project, printed: &str) -> Result<()> {
    let [diff] = &documents::read(project.root, GUIDE).code("diff")[..] else {
        bail!("{GUIDE} does not have exactly one block of diff")
    };
    fs::write(project.copy.join("guide.diff"), diff)?;
    let apply = Program::new("git").arguments(["apply", "--unidiff-zero", "guide.diff"]);
    apply.directory(project.copy).run()?;
    // Enables the transmitter, as a boot loader does.
    let new = "    pub const fn new() -> Self {\n";
    let enabled = "    pub fn new() -> Self {\n        // SAFETY: the control register.\n        \
                   unsafe { (BASE as *mut u32).write_volatile(0x10) };\n";
    project.change("src/uart.rs", new, enabled)?;
    // On this model, software calls PSCI with SMC, not with HVC. On the board, the program waits at
    // this point.
    project.change("src/aarch64.rs", "\"hvc #0\"", "\"smc #0\"")?;
    project.cargo("build", OFFLINE).run()?;
    compare(&project.run(&[], Some(ZCU102))?, printed)
}

/// Checks that the last lines show a valid measurement, and match the README except for numbers.
fn compare(lines: &[String], printed: &str) -> Result<()> {
    let printed = without_numbers(printed);
    let lines = &lines[lines.len().saturating_sub(printed.len())..];
    let found = without_numbers(&lines.join("\n"));
    ensure!(
        found == printed,
        "the output is not as in the README; without numbers, it is {found:#?}"
    );
    for line in &lines[..2] {
        ensure!(number_in(line)? >= INSTRUCTIONS, "it counted too little: {line}");
    }
    Ok(())
}

/// Returns the number at the beginning of a line.
fn number_in(line: &str) -> Result<u64> {
    Ok(line.split_whitespace().next().unwrap_or_default().parse()?)
}

/// Checks the counts of two tasks: the second makes three times as many steps as the first.
fn compare_tasks(lines: &[String], printed: &str) -> Result<()> {
    compare(lines, printed)?;
    let of_tasks = lines.iter().filter(|line| line.contains(" INST_RETIRED "));
    let counts = of_tasks.map(|line| number_in(line)).collect::<Result<Vec<_>>>()?;
    let in_shares =
        matches!(counts[..], [first, second] if 2 * first < second && second < 3 * first);
    ensure!(in_shares, "{counts:?} instructions");
    Ok(())
}

/// Checks that `check` prints the README's rows and the drivers, and that no other row ends with `right`.
fn compare_check(lines: &[String], checked: &str) -> Result<()> {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let all: Vec<_> = lines.iter().map(|line| plain(line)).collect();
    for row in checked.lines().map(plain) {
        ensure!(all.contains(&row), "{README} says that `check` prints `{row}`: {lines:#?}");
    }
    let right = |line: &&str| line.ends_with(" right");
    let wanted = checked.lines().filter(right).count();
    let found = all.iter().map(String::as_str).filter(right).count();
    ensure!(wanted > 0 && found == wanted, "{found} rows are right: {lines:#?}");
    let of_drivers = lines.iter().find(|line| line.starts_with("drivers: "));
    ensure!(of_drivers.is_some_and(|line| line.contains("cci400 0.")), "no drivers: {lines:#?}");
    let last = lines.last().map_or("", String::as_str);
    ensure!(last.starts_with(&format!("{wanted} right, ")), "the last line of `check` is {last}");
    Ok(())
}
