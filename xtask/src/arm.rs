//! `cargo xtask arm`: builds for Arm targets without an operating system, so without `std`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::command::{cargo, output};
use crate::load;

#[derive(Subcommand)]
pub enum Task {
    /// Build the library crates for bare-metal Arm targets
    Build,
}

/// The crates that run on target, beside those of the IPs.
const COMMON: [&str; 2] = ["arm-pmu", "arm-pmu-core"];

const TARGETS: [&str; 3] = ["armv6-none-eabi", "armv7a-none-eabi", "aarch64-unknown-none"];

/// # Errors
///
/// If the task fails.
pub fn run(root: &Path, task: &Task) -> Result<()> {
    match task {
        Task::Build => build(root),
    }
}

/// Builds for each target: with the installed one if there is one, else with the compiler and
/// library source of the distribution. Without either it says what is missing; in CI that fails.
///
/// # Errors
///
/// If a crate does not build, or in CI nothing could build it.
pub fn build(root: &Path) -> Result<()> {
    let ips = load::names(root)?;
    let crates: Vec<_> = COMMON.into_iter().chain(ips.iter().map(String::as_str)).collect();
    for target in TARGETS {
        let mut arguments = vec!["build", "--target", target];
        arguments.extend(crates.iter().flat_map(|name| ["--package", name]));
        let toolchain = toolchain(target);
        if let Some(Toolchain::Distribution) = toolchain {
            arguments.push("-Zbuild-std=core");
        }
        let program = cargo(root, &arguments).env("CARGO_TARGET_DIR", root.join("target/arm"));
        match toolchain {
            Some(Toolchain::Installed) => program.run()?,
            Some(Toolchain::Distribution) => {
                // The distribution's compiler is a stable one; building `core` is not stable yet.
                program.env("RUSTC", DISTRIBUTION).env("RUSTC_BOOTSTRAP", "1").run()?;
            }
            None => {
                let missing = format!(
                    "{target}: neither `rustup target add {target}` nor \
                     `apt-get install rustc-web rust-web-src` was done"
                );
                if std::env::var_os("CI").is_some() {
                    bail!("{missing}");
                }
                println!("skipped {missing}");
                continue;
            }
        }
        println!("{target}: {}", crates.join(", "));
    }
    Ok(())
}

enum Toolchain {
    /// The compiler in use has the target.
    Installed,
    /// The distribution's compiler can build it from source.
    Distribution,
}

const DISTRIBUTION: &str = "/usr/bin/rustc";

fn toolchain(target: &str) -> Option<Toolchain> {
    let installed = output("rustc", &["--print", "target-libdir", "--target", target]);
    if installed.is_some_and(|directory| Path::new(&directory).is_dir()) {
        return Some(Toolchain::Installed);
    }
    let sysroot = PathBuf::from(output(DISTRIBUTION, &["--print", "sysroot"])?);
    sysroot.join("lib/rustlib/src/rust/library").is_dir().then_some(Toolchain::Distribution)
}
