//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7 with words of another size than the
//! host's, and on AArch64.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::emulated::{AARCH64, ARMV7, Level, System};
use super::missing::skip;
use crate::generate::load;
use crate::generate::model::Space;
use crate::output::outln;
use crate::verify::crates;

/// Tests that run the compiler. There is none on target.
const OF_THE_COMPILER: &str = "ui";

/// Builds and runs the tests for each target. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], Level::Optimized, &crates::on_target(root)?)
}

/// Runs the tests of CI: those of the core and of the drivers of CP15, on ARMv7. [`trapped`](super::trapped) runs the
/// memory-mapped drivers there.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7], Level::AsOnHost, &of_cp15(root)?)
}

/// The core, and the crates of the IPs and architectures whose registers CP15 has.
fn of_cp15(root: &Path) -> Result<Vec<String>> {
    let mut names = BTreeSet::from(["arm-pmu-core".to_owned()]);
    for ip in load::load(root, &[])?.ips.into_iter().filter(|ip| matches!(ip.space, Space::Cp15)) {
        names.extend(ip.architecture.map(|architecture| architecture.name));
        names.insert(ip.name);
    }
    Ok(names.into_iter().collect())
}

fn test_on(root: &Path, systems: &[System], level: Level, packages: &[String]) -> Result<()> {
    let mut selected = vec!["--lib".to_owned()];
    let mut tests = BTreeSet::new();
    for name in packages {
        selected.extend(["--package".to_owned(), name.clone()]);
        tests.extend(test_files(&root.join("crates").join(name).join("tests"))?);
    }
    selected.extend(tests.into_iter().flat_map(|test| ["--test".to_owned(), test]));
    // Most of what comes from the registry makes random cases; to optimize it takes longer than to run it.
    let as_is = ["--config", "profile.dev.package.\"*\".opt-level=0"];
    selected.extend(as_is.map(str::to_owned));
    for system in systems {
        match system.toolchain(root) {
            Ok(toolchain) => {
                outln!("{}", system.target);
                system.test(root, &toolchain, &selected, level, |_| ())?;
            }
            Err(missing) => skip(system.target, &missing)?,
        }
    }
    Ok(())
}

/// Where a test is: in a file, or in a directory.
pub fn test_source(directory: &Path, test: &str) -> PathBuf {
    let file = directory.join(test).with_extension("rs");
    if file.is_file() { file } else { directory.join(test).join("main.rs") }
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
