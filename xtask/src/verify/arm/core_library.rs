//! `core` for targets without an operating system. `core` is built once for each target from the
//! distribution's library source, into the directory layout of rustup, so that builds, checks and
//! documentation use the same library in every profile.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{cargo, output};

/// Compiler of the distribution.
pub const DISTRIBUTION: &str = "/usr/bin/rustc";

/// Manifest of a package without code, whose build also builds `core`.
const MANIFEST: &str = "\
[workspace]

[package]
name = \"core-library\"
version = \"0.0.0\"
edition = \"2024\"

[lib]
path = \"lib.rs\"
";

/// Libraries of a program without `std`.
const LIBRARIES: [&str; 2] = ["core", "compiler_builtins"];

/// Returns the environment variable with a Cargo setting for a target.
pub fn variable(target: &str, setting: &str) -> String {
    let target = target.replace('-', "_").to_uppercase();
    format!("CARGO_TARGET_{target}_{setting}")
}

/// Returns the directory for `--sysroot`, and builds missing libraries.
///
/// # Errors
///
/// Returns an error if the library does not build.
pub fn sysroot(root: &Path, target: &str) -> Result<PathBuf> {
    // The compiler may run in another directory, so the path is absolute.
    let directory = fs::canonicalize(root)?.join("target/arm/core");
    let version =
        output(DISTRIBUTION, &["--version"]).context("the compiler does not print its version")?;
    // "rustc 1.96.0 (..)"
    let number = version.split_whitespace().nth(1).unwrap_or("unknown");
    let sysroot = directory.join(format!("{number}-{target}"));
    let built_by = sysroot.join("built-by");
    if fs::read_to_string(&built_by).is_ok_and(|by| by == version) {
        return Ok(sysroot);
    }
    if sysroot.exists() {
        fs::remove_dir_all(&sysroot)?;
    }
    let libraries = sysroot.join("lib/rustlib").join(target).join("lib");
    fs::create_dir_all(&libraries)?;
    let built = build(&directory, target)?;
    for name in LIBRARIES {
        let file = built.iter().find(|(of, _)| of == name).map(|(_, file)| file);
        let file = file.with_context(|| format!("Cargo built no {name} for {target}"))?;
        let to = libraries.join(file.file_name().context("a file has a name")?);
        fs::copy(file, to).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    // Written last, so that an interrupted run is detected.
    fs::write(&built_by, version)?;
    Ok(sysroot)
}

/// Builds the libraries, and returns their names and files.
fn build(directory: &Path, target: &str) -> Result<Vec<(String, PathBuf)>> {
    let package = directory.join("source");
    fs::create_dir_all(&package)?;
    fs::write(package.join("Cargo.toml"), MANIFEST)?;
    fs::write(package.join("lib.rs"), "#![no_std]\n")?;
    let arguments = ["build", "--quiet", "--release", "--target", target, "-Zbuild-std=core"];
    cargo(&package, &arguments)
        .env("CARGO_TARGET_DIR", directory.join("build"))
        .env("RUSTC", DISTRIBUTION)
        // The distribution's compiler is a stable one; building `core` is not stable yet.
        .env("RUSTC_BOOTSTRAP", "1")
        // Link-time optimization needs this; rustup's libraries have it too.
        .env(&variable(target, "RUSTFLAGS"), "-Cembed-bitcode=yes")
        .libraries()
}
