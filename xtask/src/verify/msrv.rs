//! The crates that users depend on, built with the oldest supported compiler.

mod user;

use std::path::Path;

use anyhow::Result;

use crate::command::{Program, cargo, output};
use crate::output::outln;
use crate::verify::arm::skip;
use crate::verify::crates;
use crate::verify::oldest::{AS_IT_IS, Compiler, rust_version};

/// Checks all crates with all features, then a user's crate, and the examples as its own.
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
    let compiler = match Compiler::unpacked(root) {
        Ok(compiler) => compiler,
        Err(missing) => return skip("the oldest compiler of the crates", &missing),
    };
    let crates = crates::all(root)?;
    // `cargo xtask linux` builds the command and `arm-pmu-linux` with it, for boards.
    let packages: Vec<_> = crates.iter().flat_map(|name| ["--package", name]).collect();
    let check = [&["check", "--all-features"][..], &AS_IT_IS, &packages].concat();
    let directory = root.join("target/msrv");
    let drive = |cargo: Program| compiler.drive(cargo).env("CARGO_TARGET_DIR", &directory);
    drive(cargo(root, &check)).run()?;
    let user = user::write(root, &crates)?;
    // Programs that it builds are run on Arm.
    drive(cargo(&user, &["check", "--bins", "--examples"])).run()?;
    outln!("rustc {oldest}: {}, a user's crate and all examples", crates.join(", "));
    Ok(())
}

/// Checks that the compiler in use has this version; else, returns its version.
fn in_use(stated: &str) -> Result<(), String> {
    let text = output("rustc", &["--version"]).unwrap_or_default();
    let found = text.split_whitespace().nth(1).unwrap_or("unknown");
    if found.starts_with(&format!("{stated}.")) {
        return Ok(());
    }
    Err(format!("xtask/Cargo.toml states {stated}, and this is {found}"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

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
    fn internal_packages_share_one_rust_version() {
        let tasks = rust_version(&root().join("xtask/Cargo.toml")).expect("one version");
        for package in ["asm", "firmware", "site", "size", "../refusals"] {
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
