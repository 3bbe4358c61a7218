//! Runs the tests of the memory-mapped drivers with the real `Mmio`, as programs for Linux on each
//! architecture that it has instructions for.
//!
//! The same test files are compiled with another `arm_pmu_sim`: the same source with
//! `--cfg arm_pmu_trap`, whose buses make each access with an `Mmio` over memory without access (see
//! `xtask/mmio-trap`). Both are put together by a package that is written to `target/arm/mmio`, so that
//! no published crate depends on the trap, and a new IP is tested without further work.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::emulated::{AARCH64, ARMV7, Level, RISCV64, System};
use super::libraries::{FACADE, test_files, test_source};
use super::missing::skip;
use super::toolchain::Toolchain;
use crate::generate::load;
use crate::generate::model::{Ip, Space};
use crate::output::outln;

/// The systems, and whether CI runs the tests of the drivers there: on ARMv7, whose words are not those of the host. The
/// accesses on AArch64 are compared with code by hand, and an image makes them. For RISC-V there is no library without
/// building it, which takes longer than its tests.
const SYSTEMS: [(System, bool); 3] = [(ARMV7, true), (AARCH64, false), (RISCV64, false)];

/// The crate of the devices, which has a directory of tests for each.
const DEVICES: &str = "arm-pmu-sim";

/// Tests that access nothing: tables of codes.
pub const TABLES: &str = "manual";

/// Crates that only some tests use, and those tests are left out: random ones take minutes with a fault for
/// each access, and those of formats access nothing.
const NOT_BUILT: [&str; 2] = ["proptest", "serde_json"];

/// The ends of names of tests that CI leaves out: a diagnosis reads for as long as a counter might take to move, and a
/// selection accesses nothing.
const SLOW: [&str; 2] = ["-diagnose", "-selection"];

/// A test file.
#[derive(Debug, PartialEq)]
struct Test {
    name: String,
    file: PathBuf,
    /// The crate of the driver, if it is of one: its tests have to make accesses.
    driver: Option<String>,
}

/// The accesses that were executed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Figures {
    tests: u64,
    loads: u64,
    stores: u64,
}

/// Builds and runs the tests for each architecture. What is missing is named; in CI that fails.
///
/// # Errors
///
/// If a test does not build, fails, or takes too long; or if the tests of a driver make no access.
pub fn test(root: &Path) -> Result<()> {
    test_some(root, false)
}

/// Runs the tests of CI: those of the drivers, whose loads and stores are what differs from the host. The tests of the
/// facade and of the devices use the same drivers, and take as long again; so do those in [`SLOW`].
///
/// # Errors
///
/// As [`test`].
pub fn check(root: &Path) -> Result<()> {
    test_some(root, true)
}

fn test_some(root: &Path, ci: bool) -> Result<()> {
    let ips = load::load(root, &[])?.ips;
    let Subjects { names, own, architectures, tests } = Subjects::of(root, &ips)?;
    let package = root.join("target/arm/mmio");
    fs::create_dir_all(&package)?;
    write_if_new(&package.join("Cargo.toml"), &manifest(root, &names, &architectures, &tests))?;
    write_if_new(&package.join("build.rs"), BUILD_SCRIPT)?;
    // The versions of the workspace; Cargo drops those that are not needed.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    for (system, in_ci) in &SYSTEMS {
        if ci && !in_ci {
            continue;
        }
        match system.toolchain(root) {
            Ok(toolchain) => {
                let start = Instant::now();
                let in_ci = |test: &&Test| {
                    test.driver.is_some() && !SLOW.iter().any(|slow| test.name.ends_with(slow))
                };
                let tests: Vec<_> = tests.iter().filter(|test| !ci || in_ci(test)).collect();
                let by_test = run(system, root, &toolchain, &package, &tests)?;
                for driver in own.iter().chain(&architectures) {
                    require_accesses(driver, &tests, &by_test)?;
                }
                let mut total = Figures::default();
                by_test.iter().for_each(|(_, figures)| total.add(*figures));
                let Figures { tests, loads, stores } = total;
                outln!(
                    "{}: {tests} tests passed, {loads} loads and {stores} stores trapped, {:.0} s",
                    system.target,
                    start.elapsed().as_secs_f64()
                );
            }
            Err(missing) => skip(system.target, &missing)?,
        }
    }
    Ok(())
}

/// The test files that run here.
///
/// # Errors
///
/// If a directory cannot be read.
pub fn files(root: &Path, ips: &[Ip]) -> Result<Vec<PathBuf>> {
    Ok(Subjects::of(root, ips)?.tests.into_iter().map(|test| test.file).collect())
}

/// The crates to test.
struct Subjects {
    /// Of all IPs.
    names: Vec<String>,
    /// The memory-mapped IPs with a driver of their own.
    own: Vec<String>,
    /// The memory-mapped architectures. What IPs share is tested once, on the devices of all.
    architectures: Vec<String>,
    tests: Vec<Test>,
}

impl Subjects {
    fn of(root: &Path, ips: &[Ip]) -> Result<Self> {
        let names = ips.iter().map(|ip| ip.name.clone()).collect();
        let mapped: Vec<_> = ips
            .iter()
            .filter(|ip| matches!(ip.space, Space::Region { .. } | Space::Pages(_)))
            .collect();
        let own = mapped.iter().filter(|ip| ip.architecture.is_none());
        let own = own.map(|ip| ip.name.clone()).collect();
        let architectures = mapped.iter().filter_map(|ip| ip.architecture.as_ref());
        let mut architectures: Vec<_> = architectures.map(|of| of.name.clone()).collect();
        architectures.dedup();
        // It has the procedures and their tests, but no registers.
        architectures.push("smmuv3-pmcg".to_owned());
        let mapped: Vec<_> = mapped.iter().map(|ip| ip.name.clone()).collect();
        let tests = find(root, &mapped, &architectures)?;
        Ok(Self { names, own, architectures, tests })
    }
}

/// Builds and runs the tests, and gives the figures of each.
fn run(
    system: &System,
    root: &Path,
    toolchain: &Toolchain,
    package: &Path,
    tests: &[&Test],
) -> Result<Vec<(String, Figures)>> {
    let manifest = package.join("Cargo.toml").display().to_string();
    let mut selected = vec!["--manifest-path".to_owned(), manifest];
    selected.extend(tests.iter().flat_map(|test| ["--test".to_owned(), test.name.clone()]));
    let mut by_test = Vec::new();
    for program in system.build(root, toolchain, &selected, Level::Optimized)? {
        let (summary, lines) = system.run(&program).with_context(|| system.target)?;
        let figures = figures(&summary, &lines)
            .with_context(|| format!("{}: cannot read `{summary}`", program.name))?;
        let Figures { tests, loads, stores } = figures;
        outln!("  {}: {tests} tests, {loads} loads, {stores} stores", program.name);
        by_test.push((program.name, figures));
    }
    Ok(by_test)
}

/// Cargo builds again what is newer than what was built of it.
fn write_if_new(path: &Path, text: &str) -> Result<()> {
    if !fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        fs::write(path, text)?;
    }
    Ok(())
}

/// Fails if no test of this driver made an access.
fn require_accesses(driver: &str, tests: &[&Test], by_test: &[(String, Figures)]) -> Result<()> {
    let of_driver = |name: &str| {
        tests.iter().any(|test| test.name == name && test.driver.as_deref() == Some(driver))
    };
    let mut total = Figures::default();
    for (_, figures) in by_test.iter().filter(|(name, _)| of_driver(name)) {
        total.add(*figures);
    }
    if total.loads == 0 || total.stores == 0 {
        bail!("the tests of {driver} made {} loads and {} stores", total.loads, total.stores);
    }
    Ok(())
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.loads += other.loads;
        self.stores += other.stores;
    }
}

/// The figures in what a test program printed: its result, and what the trap says at the end, if there
/// was any bus.
fn figures(summary: &str, lines: &[String]) -> Option<Figures> {
    let tests = number_before(summary.split(". ").nth(1)?, " passed")?;
    let trapped = lines.iter().rev().find_map(|line| line.strip_prefix("trapped: "));
    let Some((loads, stores)) = trapped.and_then(|text| text.split_once(", ")) else {
        return Some(Figures { tests, ..Figures::default() });
    };
    let loads = number_before(loads, " loads")?;
    let stores = number_before(stores, " stores")?;
    Some(Figures { tests, loads, stores })
}

fn number_before(text: &str, unit: &str) -> Option<u64> {
    text.split_once(unit)?.0.parse().ok()
}

/// The test files of the memory-mapped drivers, of the architectures that they share, of their devices and
/// of the facade.
fn find(root: &Path, mapped: &[String], architectures: &[String]) -> Result<Vec<Test>> {
    let crates = root.join("crates");
    let mut tests = Vec::new();
    let drivers = mapped.iter().chain(architectures).map(|name| (name.as_str(), Some(name)));
    for (package, driver) in drivers.chain([(FACADE, None)]) {
        let directory = crates.join(package).join("tests");
        for test in test_files(&directory)? {
            let file = test_source(&directory, &test);
            let text = fs::read_to_string(&file)?;
            if test != TABLES && !NOT_BUILT.iter().any(|name| text.contains(name)) {
                let name = format!("{package}-{test}");
                tests.push(Test { name, file, driver: driver.cloned() });
            }
        }
    }
    let directory = crates.join(DEVICES).join("tests");
    for test in test_files(&directory)? {
        if mapped.contains(&test.replace('_', "-")) {
            let name = format!("{DEVICES}-{test}");
            tests.push(Test { name, file: test_source(&directory, &test), driver: None });
        }
    }
    Ok(tests)
}

const BUILD_SCRIPT: &str = r#"fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=arm_pmu_trap");
}
"#;

/// The package whose library is `arm_pmu_sim` with the trap, and whose tests are those files.
fn manifest(root: &Path, ips: &[String], architectures: &[String], tests: &[Test]) -> String {
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
    for package in packages.chain(ips.iter().chain(architectures).map(String::as_str)) {
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
    for Test { name, file, .. } in tests {
        text += &format!("\n[[test]]\nname = \"{name}\"\npath = {}\n", quoted(file));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn the_tests_of_memory_mapped_drivers_are_found() {
        let mapped = ["cci400", "cci550"].map(str::to_owned);
        let architectures = ["cci5xx".to_owned()];
        let tests = find(&root(), &mapped, &architectures).expect("directories");
        let find = |name: &str| tests.iter().find(|test| test.name == name);
        assert_eq!(find("cci400-driver").unwrap().driver.as_deref(), Some("cci400"));
        assert_eq!(find("cci5xx-driver").unwrap().driver.as_deref(), Some("cci5xx"));
        for name in ["cci400-probe", "arm-pmu-interrupted", "arm-pmu-metrics", "arm-pmu-sim-cci550"]
        {
            assert!(find(name).is_some_and(|test| test.file.is_file()), "{name}");
        }
        for name in [
            "cci550-ui",
            "cci550-manual",
            "arm-pmu-budgets",
            "arm-pmu-sim-cortex_a8",
            "mmu600-driver",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    #[test]
    fn figures_are_read() {
        let summary = "test result: ok. 12 passed; 0 failed; 1 ignored; finished in 0.5s";
        let lines = ["", "trapped: 345 loads, 67 stores"].map(str::to_owned);
        let expected = Figures { tests: 12, loads: 345, stores: 67 };
        assert_eq!(figures(summary, &lines), Some(expected));
        assert_eq!(figures(summary, &[]), Some(Figures { tests: 12, ..Figures::default() }));
        assert_eq!(figures("test result: what", &lines), None);
    }

    #[test]
    fn a_driver_without_accesses_is_noticed() {
        let test = |name: &str, ip: &str| Test {
            name: name.to_owned(),
            file: PathBuf::new(),
            driver: Some(ip.to_owned()),
        };
        let tests = [test("a-driver", "a"), test("b-driver", "b")];
        let tests = tests.each_ref();
        let made = Figures { tests: 1, loads: 1, stores: 1 };
        let by_test = [("a-driver", made), ("b-driver", Figures { loads: 0, ..made })]
            .map(|(name, figures)| (name.to_owned(), figures));
        assert!(require_accesses("a", &tests, &by_test).is_ok());
        let problem = require_accesses("b", &tests, &by_test).unwrap_err().to_string();
        assert_eq!(problem, "the tests of b made 0 loads and 1 stores");
    }
}
