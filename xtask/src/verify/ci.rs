//! `cargo xtask ci`: everything that has to pass before a change lands.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::command::{Program, cargo};
use crate::generate::{r#gen, load, site};
use crate::output::{out, outln};
use crate::verify::arm::skip;
use crate::verify::{
    api, arm, asm, crates, docs_rs, elsewhere, exports, first_steps, fresh, fuzz, installed, linux,
    msrv, packages, recipes, release, size, starting_point,
};
use Place::{After, Apart, Arm, Host};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps that have this in their name
    #[arg(default_value = "", hide_default_value = true)]
    step: String,
}

/// A step: its name, its build directory, and its work. It fails with an error.
type Step = (&'static str, Place, fn(&Path) -> Result<()>);

/// Where a step builds. Cargo lets one program at a time build in a directory, so steps of one place run one after the
/// other, and the places beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// In the directory of the workspace.
    Host,
    /// In the build directory of programs for Arm.
    Arm,
    /// None, or a directory of its own.
    Apart,
    /// As [`Apart`], but with the results of the [`Host`] steps above it.
    After,
}

/// All steps, in order. A new check is a line here.
const STEPS: &[Step] = &[
    // First, because other steps use its builds. This includes all tests except the ones of second
    // workspaces.
    ("the README's commands, in a fresh clone", Host, fresh::run),
    ("the oldest compiler", Apart, msrv::run),
    ("format", Apart, |root| cargo(root, &["fmt", "--all", "--check"]).run()),
    ("spelling", Apart, spelling),
    ("generated files", Apart, r#gen::check),
    ("lints", Host, lints),
    ("a new IP", After, |root| new_ips(root, false)),
    ("messages of the compiler", After, |root| {
        cargo(root, &["test", "--workspace", "--test", "refusals", "--", "--ignored"]).run()
    }),
    ("without std, for Arm", Arm, arm::check_build),
    ("examples", Host, run_examples),
    ("pages of the packages, for their targets", Arm, docs_rs::build),
    ("public items", Arm, api::check),
    ("features", Host, features),
    ("documentation", Host, documentation),
    ("random programs over the drivers", Host, fuzz::check),
    ("instructions, compared with code by hand", Arm, asm::check),
    ("images on QEMU", Arm, arm::test_images),
    ("the starting point, copied", Arm, starting_point::test),
    ("size beside C", Arm, size::check),
    ("tests, as Arm programs", Arm, arm::check_libraries),
    ("lines of the reference pages, compiled", Host, site::compile_lines),
    ("exports, read by other programs", Host, exports::run),
    ("packages, unpacked", Host, packages::test),
    ("recipes, in the programs they are for", Host, recipes::test),
    ("the command, installed", Host, installed::test),
    ("the first steps in C", Host, first_steps::in_c),
    ("Linux and its perf", Arm, linux::test),
];

/// Steps that run when they are selected: minutes for what few changes touch.
const ON_REQUEST: &[Step] = &[
    ("all tests, as programs for AArch64 too", Arm, |root| {
        arm::build(root)?;
        arm::test_libraries(root)
    }),
    ("the workspace with new IPs", After, |root| new_ips(root, true)),
    ("the optimized command, on all boards", Arm, arm::make_binaries),
    ("cores of 32 bits, on their kernel", Arm, linux::test_32_bits),
    ("the reference pages, in a browser", Host, site::test),
    ("the command, for Windows and macOS", Apart, elsewhere::check),
    ("a release: version, address, changelog", Apart, release::check),
];

/// Runs all steps but those on request, or the selected ones, then prints the time of each.
///
/// # Errors
///
/// If a step fails; no further step is begun then. If there is no such step.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let selectable = || STEPS.iter().chain(ON_REQUEST);
    let asked = arguments.step.as_str();
    let steps: Vec<_> = match (asked, selectable().find(|(name, ..)| *name == asked)) {
        ("", _) => STEPS.iter().collect(),
        (_, Some(step)) => vec![step],
        _ => selectable().filter(|(name, ..)| name.contains(asked)).collect(),
    };
    let start = Instant::now();
    match steps[..] {
        [] => {
            let names: Vec<_> = selectable().map(|(name, ..)| *name).collect();
            bail!("no step has `{asked}` in its name; there are:\n  {}", names.join("\n  "));
        }
        // A step that runs alone prints directly.
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

/// Runs steps, each build directory in its own thread.
///
/// # Errors
///
/// The first of a step. Steps that already run finish, and no other step begins.
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
                // An earlier one is the answer.
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

/// Runs this program again, for one step. Its output is printed at the end, so that the lines of
/// two steps do not mix; its last line has its times.
fn in_process(root: &Path, name: &str, rows: &Mutex<String>) -> Result<()> {
    outln!("started: {name}");
    let printed = tempfile::NamedTempFile::new()?;
    // Not by its path: a step may build the program there anew.
    let mut command = Command::new("/proc/self/exe");
    command.arg("--root").arg(root).args(["ci", name]);
    command.stdin(Stdio::null()).stdout(printed.reopen()?).stderr(printed.reopen()?);
    let status = command.status().context("cannot run this program again")?;
    let printed = String::from_utf8_lossy(&fs::read(&printed)?).into_owned();
    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
    out!("{printed}");
    ensure!(status.success(), "{status}");
    *rows += printed.lines().last().unwrap_or_default();
    rows.push('\n');
    Ok(())
}

/// A row of the table of times: on the clock, and of all processors, which other load on the machine hardly changes.
fn times(name: &str, start: Instant) -> String {
    let seconds = |time: Duration| format!("{:>7.1} s", time.as_secs_f64());
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let work = of_programs(&stat).map_or("unknown".to_owned(), seconds);
    format!("{name:42} {} {work} of work", seconds(start.elapsed()))
}

/// The processor time of the programs that this program ran, and of theirs, in a `stat` of Linux.
fn of_programs(stat: &str) -> Option<Duration> {
    // The second field is a name in brackets, which may hold anything; the numbers start after it.
    let (_, after) = stat.rsplit_once(')')?;
    let mut ticks = after.split_whitespace().skip(13).map(str::parse::<u64>);
    // A hundred a second on every processor.
    let (user, kernel) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some(Duration::from_millis((user + kernel) * 10))
}

/// Whether a step has this in its name.
#[cfg(test)]
pub fn has(arguments: &Arguments) -> bool {
    STEPS.iter().chain(ON_REQUEST).any(|(name, ..)| name.contains(&arguments.step))
}

/// As typos.toml says.
fn spelling(root: &Path) -> Result<()> {
    let program = root.join("target/python/bin/typos");
    if !program.is_file() {
        return skip("the spelling", "there is no typos: `.ci/run install`");
    }
    Program::new(&program).directory(root).run()
}

fn lints(root: &Path) -> Result<()> {
    cargo(root, &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]).run()
}

/// All of them run on a host. They are the ones that `cargo test` built: with a package selected
/// alone, Cargo would build its dependencies again, with other features.
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

/// Of the published packages whose pages are not built for targets.
fn documentation(root: &Path) -> Result<()> {
    let mut arguments = vec!["doc", "--no-deps"];
    arguments.extend(api::unlisted().flat_map(|name| ["--package", name]));
    cargo(root, &arguments).env("RUSTDOCFLAGS", "--deny warnings").run()
}

/// Packages for hosts that no crate of an IP needs.
const TOOLS: [&str; 3] = ["arm-pmu-cli", "arm-pmu-linux", "arm-pmu-spec"];

/// Crates of IPs do not need each other, so they are alone although one command checks all.
fn features(root: &Path) -> Result<()> {
    let check = |arguments: &[&str]| cargo(root, &[&["check"], arguments].concat()).run();
    let ips = load::names(root)?;
    let of_ips: Vec<_> = ips.iter().flat_map(|name| ["--package", name]).collect();
    // Each crate that users can depend on has to build on its own.
    check(&of_ips)?;
    for library in crates::all(root)?.into_iter().chain(TOOLS.map(str::to_owned)) {
        if !ips.contains(&library) {
            check(&["--package", &library])?;
        }
    }
    // Each feature of the facade has to do without the others. Implementations of an architecture have the same
    // generated code there.
    let representatives = load::representatives(root)?;
    for feature in &representatives {
        check(&["--package", "arm-pmu", "--no-default-features", "--features", feature])?;
    }
    // An optional feature may depend on code that another crate enables.
    let formats = crates::FORMATS.join(",");
    let representatives = representatives.iter().map(String::as_str);
    for library in ["arm-pmu", "arm-pmu-core"].into_iter().chain(representatives) {
        check(&["--package", library, "--features", &formats])?;
    }
    Ok(())
}

/// The tests that build a copy of this workspace. They use what was downloaded.
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
        let text = include_str!("../../../RELEASING.md");
        let mut missing: Vec<_> = ON_REQUEST.iter().map(|(name, ..)| *name).collect();
        for (_, rest) in
            text.match_indices("cargo xtask ci ").map(|(at, call)| text.split_at(at + call.len()))
        {
            let word = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => rest.split(['`', '\n', ' ']).next(),
            };
            let word = word.expect("a step");
            let steps: Vec<_> =
                STEPS.iter().chain(ON_REQUEST).filter(|(name, ..)| name.contains(word)).collect();
            assert_eq!(steps.len(), 1, "`cargo xtask ci {word}` in RELEASING.md");
            missing.retain(|name| *name != steps[0].0);
        }
        assert_eq!(missing, [""; 0], "RELEASING.md leaves out");
    }
}
