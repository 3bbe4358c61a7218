//! `cargo xtask ci`: everything that has to pass before a change lands.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use crate::command::cargo;
use crate::{arm, asm, fuzz, load, regenerate, size};

#[derive(clap::Args)]
pub struct Arguments {}

/// The crates beside those of the IPs.
const COMMON: [&str; 4] = ["arm-pmu", "arm-pmu-core", "arm-pmu-derive", "arm-pmu-sim"];

/// The features of the libraries that are off by default.
pub const FORMATS: [&str; 2] = ["defmt", "serde"];

/// # Errors
///
/// If a step fails; later steps are not run then.
pub fn run(root: &Path, _arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    step("format", || cargo(root, &["fmt", "--all", "--check"]).run())?;
    step("lints", || {
        cargo(root, &["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]).run()
    })?;
    step("generated files", || regenerate::check(root))?;
    // The test command of the README.
    step("tests", || cargo(root, &["test", "--workspace"]).run())?;
    step("random programs over the drivers", || fuzz::check(root))?;
    let ips = load::names(root)?;
    // All of them run on a host.
    for package in COMMON.into_iter().chain(ips.iter().map(String::as_str)) {
        for example in examples(root, package)? {
            step(&format!("{package}: {example}"), || {
                cargo(root, &["run", "--package", package, "--example", &example]).run()
            })?;
        }
    }
    step("documentation", || {
        cargo(root, &["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings")
            .run()
    })?;
    step("a new IP", || {
        let test = ["test", "--package", "xtask", "--test", "new", "--", "--ignored"];
        cargo(root, &test).run()
    })?;
    // Each crate that users can depend on has to build on its own.
    for library in COMMON.into_iter().chain(ips.iter().map(String::as_str)) {
        step(&format!("{library} alone"), || cargo(root, &["check", "--package", library]).run())?;
    }
    // Each feature of the facade has to do without the others.
    for feature in &ips {
        step(&format!("arm-pmu with {feature} only"), || {
            let only = ["--no-default-features", "--features", feature];
            cargo(root, &[&["check", "--package", "arm-pmu"][..], &only[..]].concat()).run()
        })?;
    }
    // What is off by default, on each crate that has it: a feature may lean on what another brings.
    for library in ["arm-pmu", "arm-pmu-core"].into_iter().chain(ips.iter().map(String::as_str)) {
        for feature in FORMATS {
            step(&format!("{library} with {feature}"), || {
                cargo(root, &["check", "--package", library, "--features", feature]).run()
            })?;
        }
    }
    step("tests with serde", || {
        let packages = ["--package", "arm-pmu", "--package", "arm-pmu-core"];
        cargo(root, &[&["test", "--tests", "--features", "serde"][..], &packages[..]].concat())
            .run()
    })?;
    step("without std, for Arm", || arm::build(root))?;
    step("instructions, beside those by hand", || asm::check(root))?;
    step("images on QEMU", || arm::test_images(root))?;
    step("size beside C", || size::check(root))?;
    step("tests, as Arm programs", || arm::test_libraries(root))?;
    println!("\nall passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The examples of a crate, by their names.
fn examples(root: &Path, package: &str) -> Result<Vec<String>> {
    let directory = root.join("crates").join(package).join("examples");
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        let file = path.extension().is_some_and(|extension| extension == "rs");
        // Or a directory, for an example of several files.
        if (file || path.join("main.rs").is_file())
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Runs one step with a heading before and the time after it.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    anstream::println!("\n\x1b[1m== {name}\x1b[0m");
    let start = Instant::now();
    work()?;
    println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_a_crate_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let found = examples(&root, "arm-pmu").expect("a directory");
        assert_eq!(found, ["budget", "core_and_interconnect", "every_pmu", "two_pmus"]);
        assert!(examples(&root, "arm-pmu-derive").expect("none").is_empty());
    }
}
