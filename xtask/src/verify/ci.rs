//! `cargo xtask ci`: all checks that must pass before a change lands.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{Program, cargo};
use crate::generate::{r#gen, load, site};
use crate::verify::arm::{Toolchain, or_skip, skip};
use crate::verify::{
    api, arm, asm, crates, docs_rs, exports, first_steps, fresh, fuzz, installed, linux, msrv,
    oldest, packages, recipes, release, size, starting_point,
};
use Place::{After, Apart, Arm, Host};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps whose names contain this text
    #[arg(default_value = "", hide_default_value = true)]
    step: String,
}

/// A step: its name, its build directory, and its function. The function returns an error if the
/// step fails.
type Step = (&'static str, Place, fn(&Path) -> Result<()>);

/// Build directory of a step. Cargo allows one program at a time to build in a directory, so steps with the same build
/// directory run one after another, and steps with different build directories run in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// Build directory of the workspace.
    Host,
    /// Build directory of programs for Arm.
    Arm,
    /// Needs no build directory, or has its own.
    Apart,
    /// Like [`Apart`], but uses the results of the [`Host`] steps above.
    After,
}

/// All steps, in order. A new check is a new line here.
const STEPS: &[Step] = &[
    // Runs first, because other steps use its builds. Includes all tests except the tests of
    // separate workspaces.
    ("the README's commands, in a fresh clone", Host, fresh::run),
    ("the oldest compiler", Apart, msrv::run),
    ("format", Apart, |root| cargo(root, &["fmt", "--all", "--check"]).run()),
    ("spelling", Apart, |root| from_pypi(root, "typos", &[])),
    ("workflows", Apart, |root| from_pypi(root, "check-jsonschema", WORKFLOWS)),
    ("generated files", Apart, r#gen::check),
    ("lints of the other packages", Host, packages::check_others),
    ("a new IP", After, |root| new_ips(root, false)),
    ("messages of the compiler", After, |root| {
        cargo(root, &["test", "--workspace", "--test", "refusals", "--", "--ignored"]).run()
    }),
    ("without std, for Arm", Arm, arm::check_build),
    ("examples", Host, run_examples),
    // The next step finds the same problems in all other pages.
    ("pages that depend on the target", Arm, |root| docs_rs::build(root, "arm-pmu-core")),
    ("public items and their pages", Arm, |root| api::run(root, &api::Arguments { check: true })),
    ("features", Host, features),
    ("random programs over the drivers", Host, fuzz::check),
    ("instructions, compared with hand-written code", Arm, asm::check),
    ("images on QEMU", Arm, |root| arm::test_images(root, None)),
    ("the starting point, copied", Arm, starting_point::test),
    ("size beside C", Arm, size::check),
    ("tests, as Arm programs", Arm, arm::check_libraries),
    ("lines of the reference pages, compiled", Host, site::compile_lines),
    ("exports, read by other programs", Host, exports::run),
    ("packages, unpacked, with lints", Host, packages::test),
    ("recipes, run by the programs for which they are written", Host, recipes::test),
    ("the first steps in C", Host, first_steps::in_c),
    ("Linux and its perf", Arm, linux::test),
];

/// Steps that run only when selected: they take minutes, and few changes affect them.
const ON_REQUEST: &[Step] = &[
    ("all tests, as programs for AArch64 too", Arm, |root| {
        arm::build(root)?;
        arm::test_libraries(root)
    }),
    ("the command, installed", Host, installed::test),
    ("pages of all packages", Arm, |root| docs_rs::build(root, "")),
    ("the workspace with new IPs", After, |root| new_ips(root, true)),
    ("the optimized command, on all boards", Arm, arm::make_binaries),
    ("32-bit cores, under a 32-bit kernel", Arm, linux::test_32_bits),
    ("the reference pages, in a browser", Host, site::test),
    ("the command, for Windows and macOS", Apart, check_elsewhere),
    ("a release: version, address, changelog", Apart, release::check),
];

/// Runs the selected steps, or by default all steps that do not need a request, and then prints the
/// time of each step.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let all = || STEPS.iter().chain(ON_REQUEST);
    let asked = arguments.step.as_str();
    let steps: Vec<_> = match all().find(|(name, ..)| *name == asked) {
        Some(step) => vec![step],
        None if asked.is_empty() => STEPS.iter().collect(),
        None => all().filter(|(name, ..)| name.contains(asked)).collect(),
    };
    let start = Instant::now();
    match steps[..] {
        [] => {
            let names: Vec<_> = all().map(|(name, ..)| *name).collect();
            bail!("no step has `{asked}` in its name; there are:\n  {}", names.join("\n  "));
        }
        // The output of a single step is not collected, but printed directly.
        [(name, _, work)] => {
            heading(name);
            let result = work(root);
            outln!("\n{}", times(name, start));
            result
        }
        _ => {
            let rows = Mutex::new(String::new());
            let result = side_by_side(&steps, |step| in_process(root, step.0, &rows));
            let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
            outln!("\n{rows}{}", times("all", start));
            result?;
            outln!("all {} steps passed", steps.len());
            Ok(())
        }
    }
}

/// Runs steps, with a thread for each build directory. After an error, the steps that are running finish, no other step
/// starts, and the error is returned.
fn side_by_side(steps: &[&Step], run: impl Fn(&Step) -> Result<()> + Sync) -> Result<()> {
    let ended: Vec<_> = steps.iter().map(|_| OnceLock::new()).collect();
    let failed = OnceLock::new();
    let lane = |places: &[Place]| {
        for (nth, step) in steps.iter().enumerate().filter(|(_, step)| places.contains(&step.1)) {
            let above = steps[..nth].iter().zip(&ended).filter(|(step, _)| step.1 == Host);
            if step.1 == After {
                above.for_each(|(_, ended)| *ended.wait());
            }
            if failed.get().is_none()
                && let Err(error) = run(step)
            {
                // An earlier error is kept.
                let _ = failed.set(error.context(format!("{}: failed", step.0)));
            }
            ended[nth].get_or_init(|| ());
        }
    };
    thread::scope(|scope| {
        for places in [&[Host][..], &[Arm], &[Apart, After]] {
            scope.spawn(move || lane(places));
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Runs this program again, for one step. The output is printed at the end, so that the lines of
/// two steps do not mix; its last line contains the times.
fn in_process(root: &Path, name: &str, rows: &Mutex<String>) -> Result<()> {
    outln!("started: {name}");
    let printed = tempfile::NamedTempFile::new()?;
    // A file that is opened twice has two positions, and output would overwrite errors.
    let position = printed.reopen()?;
    // Does not use the path of this program, because a step may replace the file at that path.
    let mut command = Command::new("/proc/self/exe");
    command.arg("--root").arg(root).args(["ci", name]);
    command.stdin(Stdio::null()).stdout(position.try_clone()?).stderr(position);
    let status = command.status().context("cannot run this program again")?;
    let printed = String::from_utf8_lossy(&fs::read(&printed)?).into_owned();
    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
    out!("{printed}");
    ensure!(status.success(), "{status}");
    *rows += printed.lines().last().unwrap_or_default();
    rows.push('\n');
    Ok(())
}

/// Returns a table row with the elapsed time, and with the processor time of all programs that this program has run.
/// The processor time hardly depends on other load.
fn times(name: &str, start: Instant) -> String {
    // In a `stat` file of Linux, the second field is a name in brackets that may contain any text.
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    // Times that ended child processes took in user mode and in the kernel, in ticks of 1/100 s.
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    let (elapsed, work) = (start.elapsed().as_secs_f64(), ticks as f64 / 100.0);
    format!("{name:42} {elapsed:>7.1} s {work:>7.1} s of work")
}

/// Returns whether the name of a step contains this text.
#[cfg(test)]
pub fn has(arguments: &Arguments) -> bool {
    STEPS.iter().chain(ON_REQUEST).any(|(name, ..)| name.contains(&arguments.step))
}

/// Arguments of the program that checks the workflow files against their published schema.
const WORKFLOWS: &[&str] = &[
    "--builtin-schema=vendor.github-workflows",
    ".github/workflows/ci.yml",
    ".github/workflows/silicon.yml",
];

/// Runs a program that `.ci/run install` installs from PyPI.
fn from_pypi(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    let program = root.join("target/python/bin").join(name);
    if !program.is_file() {
        return skip(name, "it is missing; `.ci/run install` installs it");
    }
    Program::new(&program).arguments(arguments).directory(root).run()
}

/// Runs all examples; all of them work on a host. Uses the examples that `cargo test` built. If a single package were
/// selected, Cargo would build the package's dependencies again with other features.
fn run_examples(root: &Path) -> Result<()> {
    let libraries = crates::all(root)?;
    for package in crates::packages(root)?.iter().filter(|one| libraries.contains(&one.name)) {
        for example in package.targets("example") {
            heading(&format!("{}: {}", package.name, example.name));
            cargo(root, &["run", "--example", &example.name]).run()?;
        }
    }
    Ok(())
}

/// Checks that crates compile alone, and the facade with each of its features. Other steps build the following for Arm:
/// the facade with all features, the crates with their format features, and the packages for Linux. All implementations
/// of an architecture have the same generated code, so only one of them is checked.
fn features(root: &Path) -> Result<()> {
    let check = |arguments: &[&str]| {
        // Optimizing a parser for this costs more than it saves.
        cargo(root, &[&["check"], &oldest::AS_IT_IS[..], arguments].concat()).run()
    };
    let ips = load::representatives(root)?;
    // IP crates do not depend on each other, so one command checks each of them alone.
    check(&ips.iter().flat_map(|name| ["--package", name]).collect::<Vec<_>>())?;
    let others = crates::without_repeated(root, crates::all(root)?)?;
    let others = others.iter().map(String::as_str).filter(|name| *name != "arm-pmu");
    for library in others.filter(|name| !ips.iter().any(|ip| ip == name)).chain(["arm-pmu-spec"]) {
        check(&["--package", library])?;
    }
    for feature in &ips {
        check(&["--package", "arm-pmu", "--no-default-features", "--features", feature])?;
    }
    Ok(())
}

/// Runs the compiler's checks on the command for Windows and macOS, without a linker for them.
fn check_elsewhere(root: &Path) -> Result<()> {
    for target in ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"] {
        if let Some(toolchain) = or_skip(target, Toolchain::to_check(target))? {
            toolchain.cargo(root, "check", &["--package", "arm-pmu-cli"]).run()?;
        }
    }
    Ok(())
}

/// Runs the tests that build a copy of this workspace. The copies use the packages that were
/// downloaded before.
fn new_ips(root: &Path, all_tests: bool) -> Result<()> {
    cargo(root, &["fetch"]).run()?;
    let test = cargo(root, &["test", "--workspace", "--test", "new", "--", "--ignored"]);
    if all_tests { test.env("ALL_TESTS", "1").run() } else { test.run() }
}

fn heading(name: &str) {
    outln!("\n\x1b[1m== {name}\x1b[0m");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_runs_each_step_on_request() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let document = documents::read(&root, "RELEASING.md");
        let lines = [document.shell_lines(), document.spans()].concat();
        let steps = lines.iter().filter_map(|line| line.trim().strip_prefix("cargo xtask ci "));
        let mut missing: Vec<_> = ON_REQUEST.iter().map(|(name, ..)| *name).collect();
        for step in steps.map(|step| step.trim_matches('"')) {
            let all = STEPS.iter().chain(ON_REQUEST);
            let meant: Vec<_> = all.filter(|(name, ..)| name.contains(step)).collect();
            assert_eq!(meant.len(), 1, "`cargo xtask ci {step}` in RELEASING.md");
            missing.retain(|name| *name != meant[0].0);
        }
        assert_eq!(missing, [""; 0], "RELEASING.md leaves out");
    }
}
