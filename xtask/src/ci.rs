//! `cargo xtask ci`: everything that has to pass before a change lands.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use crate::command::cargo;
use crate::{arm, asm, load, regenerate, size};

#[derive(clap::Args)]
pub struct Arguments {}

/// The crates beside those of the IPs.
const COMMON: [&str; 4] = ["arm-pmu", "arm-pmu-core", "arm-pmu-derive", "arm-pmu-sim"];

/// The features of the libraries that are off by default.
pub const FORMATS: [&str; 2] = ["defmt", "serde"];

/// The examples that run on a host.
const EXAMPLES: [(&str, &str); 9] = [
    ("arm-pmu", "budget"),
    ("arm-pmu", "core_and_interconnect"),
    ("arm-pmu", "every_pmu"),
    ("arm-pmu", "two_pmus"),
    ("arm11", "branch_prediction"),
    ("cci400", "interfaces"),
    ("cci550", "snoop_hit_rate"),
    ("cortex-a8", "instructions_per_cycle"),
    ("mmu600", "tlb_misses"),
];

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
    for (package, example) in EXAMPLES {
        step(&format!("{package}: {example}"), || {
            cargo(root, &["run", "--package", package, "--example", example]).run()
        })?;
    }
    step("documentation", || {
        cargo(root, &["doc", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings")
            .run()
    })?;
    let ips = load::names(root)?;
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

/// Runs one step with a heading before and the time after it.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    anstream::println!("\n\x1b[1m== {name}\x1b[0m");
    let start = Instant::now();
    work()?;
    println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
