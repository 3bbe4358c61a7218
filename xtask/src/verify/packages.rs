//! Checks the packages to publish in the form that a user gets: each compiles with its tests and
//! examples, against the other packed packages, without a warning of clippy.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::command::{Program, cargo};
use crate::verify::crates;

/// Files that every package contains.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Packs all crates into `target/packages`, unpacks them there, and checks them. `cargo publish --workspace --dry-run`
/// compiles only libraries.
pub fn test(root: &Path) -> Result<()> {
    let packages = crates::published(root)?;
    let names: Vec<_> = packages.iter().map(|package| &package.name).collect();
    let out = root.join("target/packages");
    let packed = out.join("packed");
    let unpacked = out.join("unpacked");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked)?;
    }
    fs::create_dir_all(&unpacked)?;
    // Uncommitted changes are allowed, so that they can be tested. `--no-verify`, because the code
    // below builds the unpacked packages.
    let mut arguments = vec!["package", "--quiet", "--allow-dirty", "--no-verify"];
    arguments.extend(names.iter().flat_map(|name| ["--package", name.as_str()]));
    cargo(root, &arguments).env("CARGO_TARGET_DIR", &packed).run()?;

    let version = env!("CARGO_PKG_VERSION");
    for name in &names {
        let package = format!("{name}-{version}");
        let archive = packed.join("package").join(format!("{package}.crate"));
        // Unpacked files get the current time: Cargo packs all files with one old time, and would not rebuild them.
        let tar = Program::new("tar").arguments(["-x", "-m", "-f"]).arguments([&archive]);
        tar.arguments(["-C"]).arguments([&unpacked]).run()?;
        let directory = unpacked.join(name);
        fs::rename(unpacked.join(&package), &directory)?;
        for file in FILES {
            let is_there = directory.join(file).is_file();
            ensure!(is_there, "{name} has no {file}: make a link to the workspace's file");
        }
        outln!("  {name}, {} KB", fs::metadata(&archive)?.len().div_ceil(1000));
    }

    // Cargo finds each package only by its name and version, as if it came from the registry.
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for name in &names {
        manifest += &format!("{name} = {{ path = \"{name}\" }}\n");
    }
    // The settings are as in the workspace, so that the workspace's builds of registry packages are
    // used.
    let workspace = fs::read_to_string(root.join("Cargo.toml"))?;
    let (_, profiles) = workspace.split_once("[profile.dev]").context("no [profile.dev]")?;
    manifest += &format!("[profile.dev]{profiles}");
    fs::write(unpacked.join("Cargo.toml"), manifest)?;
    fs::copy(root.join("Cargo.lock"), unpacked.join("Cargo.lock"))?;
    let check =
        cargo(&unpacked, &["clippy", "--quiet", "--offline", "--workspace", "--all-targets"]);
    let check = check.arguments(["--", "--deny", "warnings"]);
    check.env("CARGO_TARGET_DIR", root.join("target")).run()
}

/// Checks unpublished packages, and packages published without their tests, for warnings of clippy. [`test`] checks
/// all others.
pub fn check_others(root: &Path) -> Result<()> {
    let mut clippy = cargo(root, &["clippy", "--workspace", "--all-targets"]);
    for package in crates::published(root)? {
        let manifest = fs::read_to_string(package.folder().join("Cargo.toml"))?;
        if !manifest.contains("\nexclude = ") {
            clippy = clippy.arguments(["--exclude", &package.name]);
        }
    }
    clippy.arguments(["--", "--deny", "warnings"]).run()
}
