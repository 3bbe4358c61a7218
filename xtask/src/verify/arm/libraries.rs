//! Runs the tests of the library crates as programs for Arm Linux: on ARMv7 with words of another size than the
//! host's, and on AArch64.
//!
//! Tests of memory-mapped drivers are run on the same systems by [`trapped`], and not here.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::emulated::{AARCH64, ARMV7, Level, System, TestProgram};
use super::missing::skip;
use super::trapped;
use crate::generate::load;
use crate::generate::model::{Ip, Space};
use crate::output::outln;
use crate::verify::crates;

/// The crate with the tests of all drivers together.
pub const FACADE: &str = "arm-pmu";

/// Tests that run the compiler. There is none on target.
const OF_THE_COMPILER: &str = "ui";

/// Builds and runs the tests for each target. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], false)
}

/// Runs the tests of CI: on ARMv7. AArch64 has words of the host's size, and no instruction of a test is its own.
/// Without those of the facade, which are all drivers again, of drivers for AArch64 alone, and of crates that have
/// nothing but tables of codes to test here.
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7], true)
}

fn test_on(root: &Path, systems: &[System], ci: bool) -> Result<()> {
    let selections = selections(root, ci)?;
    for system in systems {
        match system.toolchain(root) {
            Ok(toolchain) => {
                outln!("{}", system.target);
                let level = if ci { Level::AsOnHost } else { Level::Optimized };
                for selected in &selections {
                    let programs = system.build(root, &toolchain, selected, level)?;
                    run(system, &programs)?;
                }
            }
            Err(missing) => skip(system.target, &missing)?,
        }
    }
    Ok(())
}

/// What is tested here, or in CI, as arguments of Cargo for two runs. A name stands for the tests of all packages of a
/// run, so packages that have tests elsewhere too are in a run of their own.
fn selections(root: &Path, ci: bool) -> Result<[Vec<String>; 2]> {
    let ips = load::load(root, &[])?.ips;
    let elsewhere = trapped::files(root, &ips)?;
    let of_aarch64 = of_aarch64(&ips);
    // Most of what comes from the registry makes random cases; to optimize it takes longer than to run it.
    let as_is = ["--lib", "--config", "profile.dev.package.\"*\".opt-level=0"];
    let mut selections = [(); 2].map(|()| as_is.map(str::to_owned).to_vec());
    for name in crates::on_target(root)? {
        let directory = root.join("crates").join(&name).join("tests");
        let all = test_files(&directory)?;
        let is_here = |test: &&String| !elsewhere.contains(&test_source(&directory, test));
        let here: Vec<_> = all.iter().filter(is_here).cloned().collect();
        let is_table = !here.is_empty() && here.iter().all(|test| test == trapped::TABLES);
        if ci && (name == FACADE || is_table || of_aarch64.contains(&name)) {
            continue;
        }
        let selected = &mut selections[usize::from(here.len() < all.len())];
        selected.extend(["--package".to_owned(), name]);
        selected.extend(here.into_iter().flat_map(|test| ["--test".to_owned(), test]));
    }
    Ok(selections)
}

/// The crates whose registers only AArch64 has.
fn of_aarch64(ips: &[Ip]) -> BTreeSet<String> {
    let system = ips.iter().filter(|ip| matches!(ip.space, Space::System));
    let names = system.flat_map(|ip| {
        let architecture = ip.architecture.as_ref().map(|of| of.name.clone());
        [Some(ip.name.clone()), architecture].into_iter().flatten()
    });
    names.collect()
}

fn run(system: &System, programs: &[TestProgram]) -> Result<()> {
    for program in programs {
        let (summary, _) = system.run(program).with_context(|| system.target)?;
        outln!("  {}: {summary}", program.title);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_file_runs_here_or_with_the_trap() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let [whole, parts] = selections(&root, false).expect("directories");
        let has = |selected: &[String], kind: &str, name: &str| {
            selected.windows(2).any(|pair| pair == [kind, name])
        };
        for package in ["arm-pmu-core", "arm11", "cortex-a8"] {
            assert!(has(&whole, "--package", package), "{package}");
        }
        for package in ["arm-pmu", "cci400", "cci5xx", "mmu600"] {
            assert!(has(&parts, "--package", package), "{package}");
        }
        assert!(has(&whole, "--test", "driver") && has(&whole, "--test", "manual"));
        // Random tests take minutes with the trap, and those of tables access nothing.
        for test in ["budgets", "formats", "manual"] {
            assert!(has(&parts, "--test", test), "{test}");
        }
        for test in ["driver", "interrupted", "metrics", "ui"] {
            assert!(!has(&parts, "--test", test), "{test}");
        }
        let [whole, parts] = selections(&root, true).expect("directories");
        assert!(!has(&parts, "--package", FACADE) && !has(&parts, "--package", "cci400"));
        assert!(has(&parts, "--package", "cci5xx"));
        assert!(has(&whole, "--package", "armv7-pmu") && !has(&whole, "--package", "arm-pmuv3"));
        assert!(!has(&parts, "--test", "budgets"));
    }
}
