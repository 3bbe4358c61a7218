//! A test with a simulated device shows each finding of each PMU.

use std::fs;
use std::path::Path;

use arm_pmu::diagnose::Finding;

/// Places of the tests of diagnoses in the folder of a test program.
const FILES: [&str; 2] = ["diagnose.rs", "diagnose/tests.rs"];

/// Tests of diagnoses: the tests of all PMUs, and the tests in the crate of the IP or, if there are none, of its
/// architecture.
fn tests_of(ip: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let tests = |krate: &str| {
        let programs = fs::read_dir(crates.join(krate).join("tests")).ok()?;
        let programs = programs.map(|program| program.expect("an entry").path());
        let mut files = programs.flat_map(|program| FILES.map(|file| program.join(file)));
        files.find_map(|file| fs::read_to_string(file).ok())
    };
    let manifest = fs::read_to_string(crates.join(ip).join("Cargo.toml")).expect("a manifest");
    let needed = manifest.lines().filter_map(|line| line.strip_suffix(".workspace = true"));
    let mut tested = [ip].into_iter().chain(needed).map(tests);
    let own = tested.find_map(|tests| tests);
    own.unwrap_or_else(|| panic!("{ip}: no test of its diagnosis"))
        + &tests("arm-pmu").expect("the tests of all PMUs")
}

fn shown<F: Finding + std::fmt::Debug>(ip: &str, all: &[F]) {
    let tests = tests_of(&ip.replace('_', "-"));
    assert!(all.len() > 5, "{ip}: {all:?}");
    for finding in all {
        let shown = tests.contains(&format!("Finding::{finding:?}"))
            || tests.contains(&format!("\"{}\"", finding.name()));
        assert!(shown, "{ip}: no test shows {finding:?}");
    }
}

macro_rules! pmus {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        $($rest:tt)*
    })*) => { $({
        use $finding as Typed;
        let name = $name.split(':').next().expect("an IP");
        shown(name, Typed::ALL.as_ref());
    })* };
}

#[test]
fn findings_of_each_pmu_have_a_test() {
    arm_pmu::for_each_pmu!(pmus);
}
