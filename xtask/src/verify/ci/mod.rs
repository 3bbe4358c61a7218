//! `cargo xtask ci`: everything that has to pass before a change lands.

mod processor;
mod side_by_side;
mod times;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::command::{Program, cargo};
use crate::generate::{r#gen, load, site};
use crate::output::outln;
use crate::verify::arm::skip;
use crate::verify::{
    api, arm, asm, crates, docs_rs, elsewhere, exports, first_steps, fresh, fuzz, installed, linux,
    msrv, packages, recipes, release, size, starting_point,
};
use Place::{After, Apart, Arm, Host};
use times::Times;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps that have this in their name
    #[arg(default_value = "", hide_default_value = true)]
    step: String,
    /// Run the one step with this name, and write its times to this file
    #[arg(long, hide = true, value_name = "FILE")]
    times: Option<PathBuf>,
}

/// A step: its name, where it builds, and what it does. It fails with an error.
type Step = (&'static str, Place, fn(&Path) -> Result<()>);

/// Where a step builds. Cargo lets one program at a time build in a directory, so steps with the same place run one
/// after the other, and others beside them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// In the directory of the workspace.
    Host,
    /// In that of programs for Arm.
    Arm,
    /// Nowhere, or in a directory of its own.
    Apart,
    /// In a directory of its own, with what the steps above it have built in that of the workspace.
    After,
}

/// All steps, in order. A new check is a line here.
const STEPS: &[Step] = &[
    // First, because other steps use its builds. It includes all tests except those with a second workspace.
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
    ("documentation", Host, documentation),
    ("pages of the packages, for their targets", Arm, docs_rs::build),
    ("public items", Arm, api::check),
    ("features", Host, features),
    ("random programs over the drivers", Host, fuzz::check),
    ("instructions, beside those by hand", Arm, asm::check),
    ("images on QEMU", Arm, arm::test_images),
    ("the starting point, copied", Arm, starting_point::test),
    ("size beside C", Arm, size::check),
    ("tests, as Arm programs", Arm, arm::check_libraries),
    ("tests, with trapped loads and stores", Arm, arm::check_mmio),
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
        arm::test_libraries(root)?;
        arm::test_mmio(root)
    }),
    ("the workspace with new IPs", After, |root| new_ips(root, true)),
    ("the optimized command, on all boards", Arm, arm::make_binaries),
    ("cores of 32 bits, on their kernel", Arm, linux::test_32_bits),
    ("the reference pages, in a browser", Host, site::test),
    ("the first steps of strangers, timed", Apart, first_steps::test),
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
    let steps: Vec<_> = match (asked, &arguments.times) {
        ("", _) => STEPS.iter().collect(),
        (_, Some(_)) => selectable().filter(|(name, ..)| *name == asked).collect(),
        (_, None) => selectable().filter(|(name, ..)| name.contains(asked)).collect(),
    };
    let mut times = Times::start();
    let result = match steps[..] {
        [] => {
            let names: Vec<_> = selectable().map(|(name, ..)| *name).collect();
            bail!("no step has `{asked}` in its name; there are:\n  {}", names.join("\n  "));
        }
        // What it prints is seen at once.
        [(name, _, work)] => {
            heading(name);
            times.of(name, || work(root))
        }
        _ => side_by_side::run(root, &steps, &mut times),
    };
    if let Some(file) = &arguments.times {
        fs::write(file, serde_json::to_string(&times)?)?;
        return result;
    }
    outln!("\n{times}");
    result?;
    outln!("all {} steps passed", steps.len());
    Ok(())
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

/// All of them run on a host. They are those that `cargo test` built: a package selected alone would have its
/// dependencies built again, with other features.
fn run_examples(root: &Path) -> Result<()> {
    for package in crates::all(root)? {
        for example in crates::examples(root, &package)? {
            heading(&format!("{package}: {example}"));
            cargo(root, &["run", "--example", &example]).run()?;
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

fn features(root: &Path) -> Result<()> {
    // Each crate that users can depend on has to build on its own.
    let libraries = crates::all(root)?.into_iter();
    for library in libraries.chain(TOOLS.map(str::to_owned)) {
        cargo(root, &["check", "--package", &library]).run()?;
    }
    let ips = load::names(root)?;
    // Each feature of the facade has to do without the others.
    for feature in &ips {
        let only = ["--no-default-features", "--features", feature];
        cargo(root, &[&["check", "--package", "arm-pmu"][..], &only[..]].concat()).run()?;
    }
    // What is off by default, on each crate that has it: it may lean on what another crate brings.
    let formats = crates::FORMATS.join(",");
    for library in ["arm-pmu", "arm-pmu-core"].into_iter().chain(ips.iter().map(String::as_str)) {
        cargo(root, &["check", "--package", library, "--features", &formats]).run()?;
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
        let text = include_str!("../../../../RELEASING.md");
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
