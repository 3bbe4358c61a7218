//! Links the programs with `link.ld`, and passes the versions of the drivers to their reports.

use std::{env, fs};

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    println!("cargo::rerun-if-changed=link.ld");
    println!("cargo::rustc-link-arg-bins=-T{here}/link.ld");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = fs::read_to_string(format!("{here}/Cargo.lock")).unwrap_or_default();
    println!("cargo::rustc-env=DRIVERS={}", drivers(&lock));
}

/// Drivers in the lock file with their versions: `cci400 0.1.0, cortex-a53 0.1.0`.
fn drivers(lock: &str) -> String {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.unwrap_or("unknown").trim_matches('"').to_owned()
    };
    let packages = lock.split("[[package]]").skip(1);
    // Each driver and each shared driver crate depends on the core crate.
    let drivers = packages.filter(|package| package.contains("\n \"arm-pmu-core\""));
    let named = drivers.map(|driver| value(driver, "name") + " " + &value(driver, "version"));
    named.collect::<Vec<_>>().join(", ")
}
