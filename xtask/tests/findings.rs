//! A test with a simulated device shows each finding of each PMU.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use arm_pmu::diagnose::Finding;

/// Returns the tests of diagnoses in a crate.
fn tests_of(name: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let programs = fs::read_dir(crates.join(name.replace('_', "-")).join("tests")).expect("tests");
    let mut files = programs.flat_map(|program| {
        let program = program.expect("an entry").path();
        ["diagnose.rs", "diagnose/tests.rs"].map(|file| program.join(file))
    });
    let found = files.find_map(|file| fs::read_to_string(file).ok());
    found.unwrap_or_else(|| panic!("{name}: no test of its diagnosis"))
}

/// `kind` is the crate of the IP's architecture, or the IP's own crate if it has no architecture.
fn shown<F: Finding + Debug>(pmu: &str, kind: &str, all: &[F]) {
    let tests = tests_of(kind) + &tests_of("arm-pmu");
    assert!(all.len() > 5, "{pmu}: {all:?}");
    for finding in all {
        let shown = tests.contains(&format!("Finding::{finding:?}"))
            || tests.contains(&format!("\"{}\"", finding.name()));
        assert!(shown, "{pmu}: no test shows {finding:?}");
    }
}

macro_rules! pmus {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        $($rest:tt)*
    })*) => { $({
        use $finding as Typed;
        shown($name, stringify!($kind), Typed::ALL.as_ref());
    })* };
}

#[test]
fn findings_of_each_pmu_have_a_test() {
    arm_pmu::for_each_pmu!(pmus);
}
