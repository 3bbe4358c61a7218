//! The crates that users depend on, built with the oldest supported compiler.
//!
//! `.ci/run install` unpacks that compiler into `target`. It comes without Cargo: the one that runs this
//! task drives it.

mod user;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{Program, cargo, output};
use crate::output::outln;
use crate::verify::arm::skip;
use crate::verify::crates;

/// Checks all crates with all features, then builds and runs a user's crate, and builds the examples.
/// If that compiler is missing, it prints so; in CI that is an error.
///
/// # Errors
///
/// If a crate does not compile, or a manifest names a version that no step compiles with.
pub fn run(root: &Path) -> Result<()> {
    let oldest = rust_version(&root.join("Cargo.toml"))?;
    let newer = rust_version(&root.join("xtask/Cargo.toml"))?;
    if let Err(other) = in_use(&newer) {
        skip("the oldest compiler of xtask", &other)?;
    }
    let compiler = match Compiler::unpacked(root, &oldest) {
        Ok(compiler) => compiler,
        Err(missing) => return skip("the oldest compiler of the crates", &missing),
    };
    let crates = crates::all(root)?;
    // Users install the command with their own compiler.
    let packages = crates.iter().map(String::as_str).chain(["arm-pmu-cli", "arm-pmu-linux"]);
    let packages: Vec<_> = packages.flat_map(|name| ["--package", name]).collect();
    let check = [&["check", "--all-features"][..], &packages].concat();
    compiler.drive(cargo(root, &check)).run()?;
    let user = user::write(root, &crates)?;
    compiler.drive(cargo(&user, &["build", "--bins", "--examples"])).run()?;
    compiler.drive(cargo(&user, &["run", "--bin", "user"])).run()?;
    outln!("rustc {oldest}: {}, a user's crate and all examples", crates.join(", "));
    Ok(())
}

/// A compiler that was unpacked, but not installed.
struct Compiler {
    program: PathBuf,
    libraries: PathBuf,
    target_directory: PathBuf,
}

impl Compiler {
    /// The compiler of this version; else, the missing file.
    fn unpacked(root: &Path, version: &str) -> Result<Self, String> {
        let directory = root.join("target").join(format!("rust-{version}"));
        let program = directory.join("usr/bin/rustc");
        if !program.is_file() {
            return Err(format!("there is no {}: `.ci/run install`", program.display()));
        }
        // Where Debian has shared libraries, the name of the system is a directory.
        let libraries = directory.join("usr/lib").join(MULTIARCH);
        Ok(Self { program, libraries, target_directory: root.join("target/msrv") })
    }

    /// Makes Cargo use it.
    fn drive(&self, cargo: Program) -> Program {
        cargo
            .env("RUSTC", &self.program)
            .env("LD_LIBRARY_PATH", &self.libraries)
            .env("CARGO_TARGET_DIR", &self.target_directory)
    }
}

const MULTIARCH: &str = "x86_64-linux-gnu";

/// Checks that the compiler in use has this version; else, returns its version.
fn in_use(stated: &str) -> Result<(), String> {
    let text = output("rustc", &["--version"]).unwrap_or_default();
    let found = text.split_whitespace().nth(1).unwrap_or("unknown");
    if found.starts_with(&format!("{stated}.")) {
        return Ok(());
    }
    Err(format!("xtask/Cargo.toml states {stated}, and this is {found}"))
}

/// The version that a manifest states.
fn rust_version(manifest: &Path) -> Result<String> {
    let path = manifest.display();
    let text = fs::read_to_string(manifest).with_context(|| format!("cannot read {path}"))?;
    let mut stated = text.lines().filter_map(|line| line.strip_prefix("rust-version = \""));
    match (stated.next(), stated.next()) {
        (Some(version), None) => Ok(version.trim_end_matches('"').to_owned()),
        _ => bail!("{path} does not state one `rust-version`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn the_readme_names_the_stated_versions() {
        let crates = rust_version(&root().join("Cargo.toml")).expect("one version");
        let tasks = rust_version(&root().join("xtask/Cargo.toml")).expect("one version");
        let readme = fs::read_to_string(root().join("README.md")).expect("to read");
        assert!(readme.contains(&format!("With Rust {tasks} or later")), "{tasks}");
        assert!(readme.contains(&format!("need Rust {crates} or later")), "{crates}");
    }

    #[test]
    fn the_packages_that_users_do_not_depend_on_share_one_version() {
        let tasks = rust_version(&root().join("xtask/Cargo.toml")).expect("one version");
        for package in ["asm", "firmware", "size", "trybuild-support"] {
            let manifest = root().join("xtask").join(package).join("Cargo.toml");
            assert_eq!(rust_version(&manifest).expect("one version"), tasks, "{package}");
        }
    }

    #[test]
    fn another_compiler_than_the_stated_one_is_named() {
        let message = in_use("1.0").unwrap_err();
        assert!(message.starts_with("xtask/Cargo.toml states 1.0, and this is 1."), "{message}");
    }
}
