//! Builds the crates that users depend on with the oldest supported compiler.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::command::{cargo, output};
use crate::verify::arm::skip;
use crate::verify::crates::{self, Package};
use crate::verify::oldest::{Compiler, rust_version};

/// Checks a user's crate that depends on all crates with all features: the README's code, and all examples.
/// If a compiler is missing, this only prints a line; in CI, it is an error.
pub fn run(root: &Path) -> Result<()> {
    let oldest = rust_version(&root.join("Cargo.toml"))?;
    let newer = rust_version(&root.join("xtask/Cargo.toml"))?;
    let used = output("rustc", &["--version"]).unwrap_or_default();
    if !used.starts_with(&format!("rustc {newer}.")) {
        let other =
            format!("xtask/Cargo.toml states Rust {newer}, but the compiler here is {used}");
        skip("the oldest compiler of xtask", &other)?;
    }
    let compiler = match Compiler::unpacked(root) {
        Ok(compiler) => compiler,
        Err(missing) => return skip("the oldest compiler that the crates support", &missing),
    };
    let mut packages = crates::packages(root)?;
    let crates = crates::all(root)?;
    packages.retain(|package| crates.contains(&package.name));
    let user = write_user(root, &packages)?;
    // `cargo xtask linux` builds the command and `arm-pmu-linux` with this compiler for boards, and runs them on Arm.
    let check = cargo(&user, &["check", "--lib", "--examples"]);
    compiler.drive(check).env("CARGO_TARGET_DIR", root.join("target/msrv")).run()?;
    outln!("rustc {oldest}: a user's crate with all examples, and {}", crates.join(", "));
    Ok(())
}

/// Writes the user's crate, and returns its directory.
fn write_user(root: &Path, packages: &[Package]) -> Result<PathBuf> {
    let directory = root.join("target/msrv/user");
    fs::create_dir_all(directory.join("src"))?;
    let code = documents::read(root, "README.md").code("rust,no_run");
    fs::write(directory.join("src/lib.rs"), "#![allow(dead_code)]\n".to_owned() + &code.concat())?;
    // The user's crate is not a part of the workspace around it.
    let mut manifest =
        "[package]\nname = \"user\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n"
            .to_owned();
    for package in packages {
        let features: Vec<_> = package.features.keys().collect();
        let path = package.folder();
        writeln!(manifest, "{} = {{ path = {path:?}, features = {features:?} }}", package.name)?;
    }
    for package in packages {
        for example in package.targets("example") {
            // Two crates may have examples with the same name.
            let name = format!("{}-{}", package.name, example.name);
            write!(manifest, "\n[[example]]\nname = {name:?}\npath = {:?}\n", example.src_path)?;
        }
    }
    fs::write(directory.join("Cargo.toml"), manifest)?;
    // Uses the same versions of registry packages as the workspace.
    fs::copy(root.join("Cargo.lock"), directory.join("Cargo.lock"))?;
    Ok(directory)
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
}
