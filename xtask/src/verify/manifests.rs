//! Checks the manifests of the published packages: the facts that a registry shows, and matching
//! versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::command::cargo;

/// Checks the manifests of all packages under `crates/`.
///
/// # Errors
///
/// Returns an error if a manifest lacks something, or has a value that does not fit its package.
pub fn check(root: &Path) -> Result<()> {
    let metadata = cargo(root, &["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = published(&metadata)?;
    let mut wrong = Vec::new();
    for (name, package) in &packages {
        let library = root.join("crates").join(name).join("src/lib.rs");
        let text = fs::read_to_string(&library).with_context(|| library.display().to_string())?;
        let has_no_std = text.lines().any(|line| line == "#![no_std]");
        wrong.extend(problems(package, has_no_std));
        wrong.extend(pins(package, &packages));
    }
    wrong.extend(one_address(&packages));
    let project = fs::read_to_string(root.join("starting-point/Cargo.toml"))?;
    wrong.extend(versions_of_project(&project, &packages));
    ensure!(wrong.is_empty(), "the manifests:\n{}", wrong.join("\n"));
    Ok(())
}

/// Returns the packages under `crates/` by name.
fn published(metadata: &Value) -> Result<BTreeMap<&str, &Value>> {
    let packages = metadata["packages"].as_array().context("no packages")?;
    let is_published = |package: &&Value| package["publish"].is_null();
    let named = |package| Some((text(package, "name")?, package));
    packages.iter().filter(is_published).map(|one| named(one).context("a package")).collect()
}

fn text<'v>(of: &'v Value, key: &str) -> Option<&'v str> {
    of[key].as_str().filter(|text| !text.is_empty())
}

fn list<'v>(of: &'v Value, key: &str) -> Vec<&'v str> {
    of[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns the problems of this manifest for a registry or its users.
fn problems(package: &Value, has_no_std: bool) -> Vec<String> {
    let name = text(package, "name").unwrap_or_default();
    let description = text(package, "description").unwrap_or_default();
    let [keywords, categories] = ["keywords", "categories"].map(|key| list(package, key));
    let says_no_std = categories.iter().any(|one| one.starts_with("no-std"));
    let pages = &package["metadata"]["docs"]["rs"];
    let rules = [
        ((1..=120).contains(&description.len()), "`description` is one line of a list"),
        (!description.ends_with('.'), "`description` is a title, without a full stop"),
        (package["license"] == "MIT OR Apache-2.0", "no `license.workspace = true`"),
        (package["readme"] == "README.md", "no `readme = \"README.md\"`"),
        (package["repository"].is_string(), "no `repository.workspace = true`"),
        (package["documentation"].is_null(), "`documentation`, which RELEASING.md leaves out"),
        // A registry refuses a package with more.
        ((1..=5).contains(&keywords.len()), "one to five keywords"),
        ((1..=5).contains(&categories.len()), "one to five categories"),
        (says_no_std == has_no_std, "the category `no-std::no-alloc` goes with `#![no_std]`"),
        (pages["all-features"] == true, "no `all-features = true` for docs.rs"),
        (!list(pages, "targets").is_empty(), "no `targets` for docs.rs"),
    ];
    let wrong = rules.into_iter().filter(|(is_right, _)| !is_right);
    wrong.map(|(_, rule)| format!("crates/{name}/Cargo.toml: {rule}")).collect()
}

/// Returns the dependencies in the published manifest, without test dependencies that have no
/// version.
fn kept(package: &Value) -> impl Iterator<Item = &Value> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|one| one["kind"] != "dev" || one["req"] != "*")
}

/// Returns the dependencies on packages of this workspace that accept another version.
fn pins(package: &Value, packages: &BTreeMap<&str, &Value>) -> Vec<String> {
    let mut wrong = Vec::new();
    for dependency in kept(package) {
        let needed = text(dependency, "name").unwrap_or_default();
        let Some(version) = packages.get(needed).and_then(|package| text(package, "version"))
        else {
            continue;
        };
        if dependency["req"] != format!("={version}") {
            let name = text(package, "name").unwrap_or_default();
            wrong.push(format!("{name} needs {needed} {}, not ={version}", dependency["req"]));
        }
    }
    wrong
}

/// All packages inherit the address from the workspace, so it changes in one line.
fn one_address(packages: &BTreeMap<&str, &Value>) -> Option<String> {
    let addresses: BTreeSet<_> =
        packages.values().map(|package| package["repository"].to_string()).collect();
    (addresses.len() != 1).then(|| format!("packages with different addresses: {addresses:?}"))
}

/// Returns the dependencies of the starting point that do not have this version.
fn versions_of_project(manifest: &str, packages: &BTreeMap<&str, &Value>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, version) in manifest.lines().filter_map(|line| line.split_once(" = ")) {
        if let Some(package) = packages.get(name)
            && version.trim_matches('"') != package["version"]
        {
            wrong.push(format!("starting-point/Cargo.toml: {name} is {}", package["version"]));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifests_of_this_workspace_are_complete() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).expect("complete manifests");
    }
}
