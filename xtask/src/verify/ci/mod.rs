//! `cargo xtask ci`: everything that has to pass before a change lands.

mod times;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::command::cargo;
use crate::generate::{r#gen, load, site};
use crate::output::outln;
use crate::verify::{
    api, arm, asm, crates, docs_rs, elsewhere, exports, first_steps, fresh, fuzz, installed, linux,
    msrv, packages, recipes, size, starting_point,
};
use times::Times;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps that have this in their name
    #[arg(default_value = "", hide_default_value = true)]
    step: String,
}

/// A step: its name, and what it does. It fails with an error.
type Step = (&'static str, fn(&Path) -> Result<()>);

/// All steps, in order. A new check is a line here.
const STEPS: &[Step] = &[
    // Includes all tests but those that build a second workspace.
    ("the README's commands, in a fresh clone", fresh::run),
    ("format", |root| cargo(root, &["fmt", "--all", "--check"]).run()),
    ("lints", lints),
    ("generated files", r#gen::check),
    ("examples", run_examples),
    ("documentation", documentation),
    ("pages of the packages, for their targets", docs_rs::build),
    ("features", features),
    ("tests with serde", tests_with_serde),
    ("messages of the compiler", |root| {
        cargo(root, &["test", "--workspace", "--test", "ui", "--", "--ignored"]).run()
    }),
    ("random programs over the drivers", fuzz::check),
    ("a new IP", new_ip),
    ("lines of the reference pages, compiled", site::compile_lines),
    ("exports, read by other programs", exports::run),
    ("packages, unpacked", packages::test),
    ("public items", api::check),
    ("the oldest compiler", msrv::run),
    ("without std, for Arm", arm::build),
    ("instructions, beside those by hand", asm::check),
    ("images on QEMU", arm::test_images),
    ("the starting point, copied", starting_point::test),
    ("size beside C", size::check),
    ("tests, as Arm programs", arm::check_libraries),
    ("tests, with trapped loads and stores", arm::check_mmio),
    ("recipes, in the programs they are for", recipes::test),
    ("the command, installed", installed::test),
    ("the command, on boards", arm::test_binaries),
    ("Linux and its perf", linux::test),
];

/// Steps that run when they are selected: minutes for what few changes touch.
const ON_REQUEST: &[Step] = &[
    ("all tests, as programs for AArch64 and RISC-V too", |root| {
        arm::test_libraries(root)?;
        arm::test_mmio(root)
    }),
    ("the reference pages, in a browser", site::test),
    ("the first steps of strangers, timed", first_steps::test),
    ("the command, for Windows and macOS", elsewhere::check),
];

/// Runs all steps but those on request, or the selected ones, then prints the time of each.
///
/// # Errors
///
/// If a step fails; later steps are not run then. If there is no such step.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let selectable = || STEPS.iter().chain(ON_REQUEST);
    let steps: Vec<_> = match arguments.step.as_str() {
        "" => STEPS.iter().collect(),
        step => selectable().filter(|(name, _)| name.contains(step)).collect(),
    };
    if steps.is_empty() {
        let names: Vec<_> = selectable().map(|(name, _)| *name).collect();
        bail!("no step has `{}` in its name; there are:\n  {}", arguments.step, names.join("\n  "));
    }
    let mut times = Times::start();
    let result = steps.iter().try_for_each(|(name, work)| {
        heading(name);
        times.of(name, || work(root))
    });
    outln!("\n{times}");
    result?;
    outln!("all {} steps passed", steps.len());
    Ok(())
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

fn documentation(root: &Path) -> Result<()> {
    cargo(root, &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings").run()
}

fn features(root: &Path) -> Result<()> {
    // Each crate that users can depend on has to build on its own.
    for library in crates::all(root)? {
        cargo(root, &["check", "--package", &library]).run()?;
    }
    let ips = load::names(root)?;
    // Each feature of the facade has to do without the others.
    for feature in &ips {
        let only = ["--no-default-features", "--features", feature];
        cargo(root, &[&["check", "--package", "arm-pmu"][..], &only[..]].concat()).run()?;
    }
    // What is off by default, on each crate that has it: a feature may lean on what another brings.
    for library in ["arm-pmu", "arm-pmu-core"].into_iter().chain(ips.iter().map(String::as_str)) {
        for feature in crates::FORMATS {
            cargo(root, &["check", "--package", library, "--features", feature]).run()?;
        }
    }
    Ok(())
}

/// The unit tests, and the tests that name `serde`: the feature changes nothing for the others.
fn tests_with_serde(root: &Path) -> Result<()> {
    let mut arguments = vec!["test".to_owned(), "--lib".to_owned()];
    arguments.extend(["--features".to_owned(), "serde".to_owned()]);
    let mut found = false;
    for package in ["arm-pmu", "arm-pmu-core", "arm-pmu-tables"] {
        arguments.extend(["--package".to_owned(), package.to_owned()]);
        let directory = root.join("crates").join(package).join("tests");
        for test in arm::test_files(&directory)? {
            let text = fs::read_to_string(arm::test_source(&directory, &test))?;
            if text.contains("serde") {
                arguments.extend(["--test".to_owned(), test]);
                found = true;
            }
        }
    }
    if !found {
        bail!("no test names `serde`");
    }
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    cargo(root, &arguments).run()
}

/// The tests that build a copy of this workspace. They use what was downloaded.
fn new_ip(root: &Path) -> Result<()> {
    cargo(root, &["fetch"]).run()?;
    cargo(root, &["test", "--workspace", "--test", "new", "--", "--ignored"]).run()
}

fn heading(name: &str) {
    outln!("\n\x1b[1m== {name}\x1b[0m");
}
