//! Runs the tests of the memory-mapped drivers with the real `Mmio`, as programs for Linux on Arm.
//!
//! The same test files are compiled with another `arm_pmu_sim`: the same source with
//! `--cfg arm_pmu_trap`, whose buses make each access with an `Mmio` over memory without access (see
//! `xtask/mmio-trap`). Both are put together by a package that is written to `target/arm/mmio`, so that
//! no published crate depends on the trap, and a new IP is tested without further work.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::emulated::{AARCH64, ARMV7, Level, System};
use super::missing::or_skip;
use super::toolchain::Toolchain;
use crate::generate::load;
use crate::generate::model::{Ip, Space};
use crate::output::outln;

/// The crate with the tests of all drivers together.
const FACADE: &str = "arm-pmu";

/// The crate of the devices.
const DEVICES: &str = "arm-pmu-sim";

/// An architecture that has procedures and their tests, but no registers.
const PROCEDURES: &str = "smmuv3-pmcg";

/// The tests of procedures: each has to make accesses.
const DRIVER: &str = "driver";

/// Tests that access nothing: tables of codes.
const TABLES: &str = "manual";

/// Crates used only by tests that are left out: random tests take minutes with a fault for each access, and tests of
/// formats access nothing.
const NOT_BUILT: [&str; 2] = ["proptest", "serde_json"];

/// Tests that CI leaves out: a diagnosis reads for as long as a counter might take to move, and a selection accesses
/// nothing.
const SLOW: [&str; 2] = ["diagnose", "selection"];

/// A test file of a crate.
#[derive(Debug, PartialEq)]
struct Test {
    package: String,
    name: String,
    file: PathBuf,
}

/// Numbers of loads and stores.
type Accesses = [u64; 2];

/// Builds and runs the tests for each architecture. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long; or if the tests of a driver make no access.
pub fn test(root: &Path) -> Result<()> {
    test_on(root, &[ARMV7, AARCH64], |_| true)
}

/// Runs the tests of CI: the drivers' tests, on ARMv7, because its word size differs from the host's. `cargo xtask asm`
/// compares the accesses on AArch64 with code by hand. The tests of the facade and of the devices use the same drivers,
/// and take as long again; so do those in [`SLOW`].
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    let of_drivers = |test: &Test| test.package != FACADE;
    test_on(root, &[ARMV7], |test| of_drivers(test) && !SLOW.contains(&test.name.as_str()))
}

fn test_on(root: &Path, systems: &[System], is_selected: impl Fn(&Test) -> bool) -> Result<()> {
    let ips = load::load(root, &[])?.ips;
    let mapped = mapped(&ips);
    let tests = find(root, &mapped)?;
    let names: Vec<_> = ips.iter().map(|ip| ip.name.as_str()).collect();
    let package = root.join("target/arm/mmio");
    fs::create_dir_all(&package)?;
    write_if_new(&package.join("Cargo.toml"), &manifest(root, &names, &mapped, &tests))?;
    write_if_new(&package.join("build.rs"), BUILD_SCRIPT)?;
    // The versions of the workspace; Cargo drops unused ones.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    let selected: Vec<_> = tests.iter().filter(|test| is_selected(test)).collect();
    for system in systems {
        if let Some(toolchain) = or_skip(system.target, system.toolchain(root))? {
            let accesses = run(system, root, &toolchain, &package, &selected)?;
            require_accesses(&selected, &accesses)?;
            let sum = |nth| accesses.values().map(|made: &Accesses| made[nth]).sum::<u64>();
            outln!("{}: {} loads and {} stores trapped", system.target, sum(0), sum(1));
        }
    }
    Ok(())
}

/// The crates of the memory-mapped IPs and of their architectures.
fn mapped(ips: &[Ip]) -> BTreeSet<&str> {
    let mapped = ips.iter().filter(|ip| !matches!(ip.space, Space::Cp15 | Space::System));
    let names = mapped.flat_map(|ip| {
        let architecture = ip.architecture.as_ref().map(|architecture| architecture.name.as_str());
        [Some(ip.name.as_str()), architecture].into_iter().flatten()
    });
    names.chain([PROCEDURES]).collect()
}

/// Builds and runs the tests, and gives the accesses of each that the trap prints at its end.
fn run(
    system: &System,
    root: &Path,
    toolchain: &Toolchain,
    package: &Path,
    tests: &[&Test],
) -> Result<BTreeMap<String, Accesses>> {
    let manifest = package.join("Cargo.toml").display().to_string();
    let mut selected = vec!["--manifest-path".to_owned(), manifest];
    selected.extend(tests.iter().flat_map(|test| ["--test".to_owned(), test.target()]));
    let mut accesses = BTreeMap::new();
    let mut current = String::new();
    system.test(root, toolchain, &selected, Level::Optimized, |line| {
        if let Some(name) = program(line) {
            current = name;
        } else if let Some(made) = trapped(line) {
            accesses.insert(current.clone(), made);
        }
    })?;
    Ok(accesses)
}

/// The test whose start Cargo announces: `Running tests/driver.rs (target/debug/deps/cci400_driver-3c1b)`.
fn program(line: &str) -> Option<String> {
    let (_, file) = line.trim_start().strip_prefix("Running ")?.rsplit_once('/')?;
    Some(file.rsplit_once('-')?.0.to_owned())
}

/// The accesses that the trap prints.
fn trapped(line: &str) -> Option<Accesses> {
    let (loads, stores) = line.strip_prefix("trapped: ")?.split_once(" loads, ")?;
    Some([loads.parse().ok()?, stores.strip_suffix(" stores")?.parse().ok()?])
}

/// Fails if the tests of a procedure made no access.
fn require_accesses(tests: &[&Test], accesses: &BTreeMap<String, Accesses>) -> Result<()> {
    for test in tests.iter().filter(|test| test.name == DRIVER) {
        let made = accesses.get(&test.target()).copied().unwrap_or_default();
        let [loads, stores] = made;
        let package = &test.package;
        ensure!(!made.contains(&0), "{package}: its tests made {loads} loads and {stores} stores");
    }
    Ok(())
}

/// Writes changed text only: Cargo rebuilds on a newer time.
fn write_if_new(path: &Path, text: &str) -> Result<()> {
    if !fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        fs::write(path, text)?;
    }
    Ok(())
}

/// The test files of these crates and of the facade.
fn find(root: &Path, mapped: &BTreeSet<&str>) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for package in mapped.iter().copied().chain([FACADE]) {
        let directory = root.join("crates").join(package).join("tests");
        for name in test_files(&directory)? {
            let file = test_source(&directory, &name);
            let text = fs::read_to_string(&file)?;
            if name != TABLES && !NOT_BUILT.iter().any(|name| text.contains(name)) {
                tests.push(Test { package: package.to_owned(), name, file });
            }
        }
    }
    Ok(tests)
}

/// Where a test is: in a file, or in a directory.
fn test_source(directory: &Path, test: &str) -> PathBuf {
    let file = directory.join(test).with_extension("rs");
    if file.is_file() { file } else { directory.join(test).join("main.rs") }
}

/// The names of the files that Cargo makes tests of.
fn test_files(directory: &Path) -> Result<Vec<String>> {
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
    names.sort();
    Ok(names)
}

impl Test {
    /// Its name in the package of all.
    fn target(&self) -> String {
        format!("{}_{}", self.package, self.name).replace('-', "_")
    }
}

const BUILD_SCRIPT: &str = r#"fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=arm_pmu_trap");
}
"#;

/// The package whose library is `arm_pmu_sim` with the trap, and whose tests are those files.
fn manifest(root: &Path, ips: &[&str], mapped: &BTreeSet<&str>, tests: &[Test]) -> String {
    let crates = root.join("crates");
    let quoted = |path: &Path| format!("{:?}", path.display().to_string());
    let mut text = format!(
        r#"# Written by `cargo xtask arm test-mmio`.
[workspace]

[package]
name = "mmio-tests"
version = "0.0.0"
edition = "2024"
publish = false

[lib]
name = "arm_pmu_sim"
path = {}
test = false
doctest = false

[profile.dev]
debug = false

# For the standard library, where it is built. To optimize it takes longer than to run it.
[profile.dev.package."*"]
opt-level = 0

[lints.rust]
unexpected_cfgs = {{ level = "warn", check-cfg = ["cfg(arm_pmu_trap)"] }}

[dependencies]
mmio-trap = {{ path = {} }}
"#,
        quoted(&crates.join(DEVICES).join("src/lib.rs")),
        quoted(&root.join("xtask/mmio-trap")),
    );
    let mut drivers = String::new();
    let packages = [FACADE, "arm-pmu-core", "arm-pmu-derive"].into_iter();
    for package in packages.chain(ips.iter().chain(mapped).copied()).collect::<BTreeSet<_>>() {
        text += &format!("{package} = {{ path = {} }}\n", quoted(&crates.join(package)));
        drivers += &format!("\n[profile.dev.package.{package}]\nopt-level = 1\n");
    }
    text += &drivers;
    // Tests of the facade ask which IPs it has.
    let all: Vec<_> = ips.iter().map(|ip| format!("\"{ip}\"")).collect();
    text += &format!("\n[features]\nserde = []\ndefault = [{}]\n", all.join(", "));
    for ip in ips {
        text += &format!("{ip} = []\n");
    }
    for test in tests {
        let (name, file) = (test.target(), quoted(&test.file));
        text += &format!("\n[[test]]\nname = \"{name}\"\npath = {file}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_memory_mapped_drivers_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tests = find(&root, &BTreeSet::from(["cci400", "cci550", "cci5xx"])).expect("files");
        let has = |name: &str| tests.iter().any(|test| test.target() == name);
        for name in ["cci400_driver", "cci5xx_driver", "arm_pmu_metrics"] {
            assert!(has(name), "{name}");
        }
        for name in ["cci550_manual", "arm_pmu_budgets"] {
            assert!(!has(name), "{name}");
        }
    }

    #[test]
    fn a_driver_without_accesses_is_noticed() {
        let line = "     Running /r/cci400/tests/driver.rs (/t/debug/deps/cci400_driver-3c1b)";
        assert_eq!(program(line).as_deref(), Some("cci400_driver"));
        assert_eq!(program("running 12 tests"), None);
        assert_eq!(trapped("trapped: 345 loads, 67 stores"), Some([345, 67]));
        assert_eq!(trapped("test result: ok"), None);
        let test =
            Test { package: "cci400".to_owned(), name: DRIVER.to_owned(), file: PathBuf::new() };
        let require = |made| require_accesses(&[&test], &BTreeMap::from([(test.target(), made)]));
        assert!(require([345, 67]).is_ok());
        let problem = require([0, 67]).unwrap_err().to_string();
        assert_eq!(problem, "cci400: its tests made 0 loads and 67 stores");
    }
}
