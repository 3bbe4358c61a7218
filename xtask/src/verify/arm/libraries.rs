//! Runs the tests of the library crates on other word sizes: as programs for Arm Linux.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result};

use super::emulated::{AARCH64, ARMV7, System};
use super::missing::skip;
use super::toolchain::Toolchain;
use crate::generate::load;
use crate::output::outln;

/// The crates that run on target, beside those of the IPs.
const COMMON: [&str; 2] = ["arm-pmu", "arm-pmu-core"];

/// Tests that run the compiler. There is none on target.
const OF_THE_COMPILER: &str = "ui";

const SYSTEMS: [System; 2] = [ARMV7, AARCH64];

/// Builds and runs the tests for each target. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long.
pub fn test(root: &Path) -> Result<()> {
    let of_specs = load::crates(root)?;
    let mut selected = vec!["--lib".to_owned()];
    for name in COMMON.into_iter().chain(of_specs.iter().map(String::as_str)) {
        selected.extend(["--package".to_owned(), name.to_owned()]);
        for test in test_files(&root.join("crates").join(name).join("tests"))? {
            selected.extend(["--test".to_owned(), test]);
        }
    }
    for system in &SYSTEMS {
        match system.toolchain() {
            Ok(toolchain) => run(system, root, &toolchain, &selected)?,
            Err(missing) => skip(system.target, &missing)?,
        }
    }
    Ok(())
}

fn run(system: &System, root: &Path, toolchain: &Toolchain, selected: &[String]) -> Result<()> {
    let programs = system.build(root, toolchain, selected)?;
    outln!("{}", system.target);
    for program in programs {
        let (summary, _) = system.run(&program).with_context(|| system.target)?;
        outln!("  {}: {summary}", program.title);
    }
    Ok(())
}

/// The names of the files that Cargo makes tests of, without those that run the compiler.
pub fn test_files(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if directory.is_dir() {
        for entry in directory.read_dir()? {
            let path = entry?.path();
            let is_test = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
            if let (true, Some(name)) = (is_test, path.file_stem().and_then(OsStr::to_str)) {
                names.push(name.to_owned());
            }
        }
    }
    names.retain(|name| name != OF_THE_COMPILER);
    names.sort();
    Ok(names)
}
