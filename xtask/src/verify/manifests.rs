//! Manifests of the published packages: the facts that a registry shows, and matching versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::command::cargo;

/// The categories that packages here are in. A registry has a list of them, and ignores all others.
const CATEGORIES: [&str; 13] = [
    "command-line-utilities",
    "data-structures",
    "development-tools",
    "development-tools::profiling",
    "development-tools::testing",
    "embedded",
    "encoding",
    "hardware-support",
    "no-std::no-alloc",
    "os::linux-apis",
    "parser-implementations",
    "rust-patterns",
    "simulation",
];

/// The most keywords, and the most categories, that a registry accepts.
const MOST: usize = 5;

/// The longest keyword that a registry accepts.
const LONGEST_KEYWORD: usize = 20;

/// A description is one line of a list.
const LONGEST_DESCRIPTION: usize = 120;

/// Checks the manifests of all packages under `crates/`.
///
/// # Errors
///
/// If a manifest lacks something, or has something unfit for its package.
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

/// The packages under `crates/`, by name.
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

/// What a registry or its users would miss in this manifest.
fn problems(package: &Value, has_no_std: bool) -> Vec<String> {
    let name = text(package, "name").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut is = |right: bool, what: &str| {
        if !right {
            wrong.push(format!("crates/{name}/Cargo.toml: {what}"));
        }
    };
    let description = text(package, "description").unwrap_or_default();
    is(!description.is_empty(), "no `description`");
    is(description.len() <= LONGEST_DESCRIPTION, "the description is longer than a line of a list");
    is(!description.ends_with('.'), "the description is a title, without a full stop");
    is(package["license"] == "MIT OR Apache-2.0", "no `license.workspace = true`");
    is(package["readme"] == "README.md", "no `readme = \"README.md\"`");
    is(package["repository"].is_string(), "no `repository.workspace = true`");
    is(package["documentation"].is_null(), "`documentation`, for which RELEASING.md has a reason");

    let keywords = list(package, "keywords");
    is((1..=MOST).contains(&keywords.len()), "needs one to five keywords");
    is(keywords.is_sorted(), "keywords are in the order of the alphabet");
    is(all_differ(&keywords), "a keyword twice");
    for keyword in &keywords {
        is(is_keyword(keyword), &format!("a registry refuses the keyword `{keyword}`"));
        let of_cci = name.starts_with("cci") || needs_of(package).any(|needed| needed == "cci5xx");
        is(*keyword != "cci" || of_cci, "the keyword `cci`, and no CCI");
    }

    let categories = list(package, "categories");
    is((1..=MOST).contains(&categories.len()), "needs one to five categories");
    is(all_differ(&categories), "a category twice");
    for category in &categories {
        is(CATEGORIES.contains(category), &format!("no registry is known to have `{category}`"));
    }
    let says_no_std = categories.iter().any(|one| one.starts_with("no-std"));
    is(says_no_std == has_no_std, "the category `no-std::no-alloc` and `#![no_std]` go together");

    let pages = &package["metadata"]["docs"]["rs"];
    is(pages["all-features"] == true, "no `all-features = true` for docs.rs");
    is(!list(pages, "targets").is_empty(), "no `targets` for docs.rs");
    wrong
}

fn all_differ(words: &[&str]) -> bool {
    words.iter().collect::<BTreeSet<_>>().len() == words.len()
}

fn is_keyword(word: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-+".contains(letter);
    word.len() <= LONGEST_KEYWORD
        && word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.chars().all(letter)
}

/// The dependencies in the published manifest: without test dependencies that have no version.
fn kept(package: &Value) -> impl Iterator<Item = &Value> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|one| one["kind"] != "dev" || one["req"] != "*")
}

fn needs_of(package: &Value) -> impl Iterator<Item = &str> {
    kept(package).filter_map(|one| text(one, "name"))
}

/// Dependencies on packages of this workspace that accept another version.
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

/// All packages have the address of the workspace, so that one line changes it.
fn one_address(packages: &BTreeMap<&str, &Value>) -> Option<String> {
    let addresses: BTreeSet<_> =
        packages.values().map(|package| package["repository"].to_string()).collect();
    (addresses.len() != 1).then(|| format!("packages with different addresses: {addresses:?}"))
}

/// Dependencies of the project to copy that are not of this version.
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
    use serde_json::json;

    use super::*;

    #[test]
    fn the_manifests_of_this_workspace_are_complete() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).expect("complete manifests");
    }

    fn manifest() -> Value {
        json!({
            "name": "x",
            "version": "1.2.3",
            "description": "Counts",
            "license": "MIT OR Apache-2.0",
            "readme": "README.md",
            "repository": "",
            "documentation": null,
            "keywords": ["arm", "pmu"],
            "categories": ["embedded", "no-std::no-alloc"],
            "metadata": { "docs": { "rs": { "all-features": true, "targets": ["armv7a-none-eabi"] } } },
            "dependencies": [],
        })
    }

    #[test]
    fn each_part_of_a_manifest_is_checked() {
        assert_eq!(problems(&manifest(), true), [""; 0]);
        let wrong = [
            ("/description", json!("")),
            ("/description", json!("Counts.")),
            ("/description", json!("Counts ".repeat(18))),
            ("/license", json!(null)),
            ("/readme", json!(null)),
            ("/repository", json!(null)),
            ("/documentation", json!("https://example.org")),
            ("/keywords", json!([])),
            ("/keywords", json!(["a", "b", "c", "d", "e", "f"])),
            ("/keywords", json!(["pmu", "arm"])),
            ("/keywords", json!(["arm", "arm"])),
            ("/keywords", json!(["arm", "cci"])),
            ("/keywords", json!(["two words"])),
            ("/keywords", json!(["-arm"])),
            ("/keywords", json!(["longer-than-20-letter"])),
            ("/categories", json!(["no-std::no-alloc", "no-std::no-alloc"])),
            ("/categories", json!(["no-std::no-alloc", "profiling"])),
            ("/categories", json!(["embedded"])),
            ("/metadata/docs/rs/all-features", json!(null)),
            ("/metadata/docs/rs/targets", json!([])),
        ];
        for (place, value) in wrong {
            let mut manifest = manifest();
            *manifest.pointer_mut(place).expect("a place") = value.clone();
            assert_eq!(problems(&manifest, true).len(), 1, "{place} = {value}");
        }
        assert_eq!(problems(&manifest(), false).len(), 1, "a category that is not true");
        let mut in_none = manifest();
        in_none["categories"] = json!([]);
        assert_eq!(problems(&in_none, false).len(), 1);
        let mut cci = manifest();
        cci["keywords"] = json!(["arm", "cci"]);
        cci["dependencies"] = json!([{ "name": "cci5xx", "req": "=1.2.3", "kind": null }]);
        assert_eq!(problems(&cci, true), [""; 0]);
    }

    #[test]
    fn packages_need_one_version_of_each_other() {
        let needs = |requirement: &str, kind: Value| {
            let mut one = manifest();
            one["name"] = json!("y");
            one["dependencies"] = json!([
                { "name": "x", "req": requirement, "kind": kind },
                { "name": "of-others", "req": "^1", "kind": null },
            ]);
            let x = manifest();
            let packages = BTreeMap::from([("x", &x), ("y", &one)]);
            pins(&one, &packages)
        };
        assert_eq!(needs("=1.2.3", json!(null)), [""; 0]);
        assert_eq!(needs("^1.2.3", json!(null)), ["y needs x \"^1.2.3\", not =1.2.3"]);
        assert_eq!(needs("^1.2.3", json!("dev")).len(), 1);
        // By path alone, in tests: publishing drops it.
        assert_eq!(needs("*", json!("dev")), [""; 0]);
        assert_eq!(needs("*", json!(null)).len(), 1);
    }

    #[test]
    fn one_line_has_the_address_and_one_the_version() {
        let (one, mut other) = (manifest(), manifest());
        assert_eq!(one_address(&BTreeMap::from([("x", &one), ("y", &other)])), None);
        other["repository"] = json!("https://example.org");
        assert!(one_address(&BTreeMap::from([("x", &one), ("y", &other)])).is_some());

        let packages = BTreeMap::from([("x", &one)]);
        let project = |version: &str| format!("name = \"p\"\nx = \"{version}\"\nz = \"4\"\n");
        assert_eq!(versions_of_project(&project("1.2.3"), &packages), [""; 0]);
        let old = versions_of_project(&project("1.2.2"), &packages);
        assert_eq!(old, ["starting-point/Cargo.toml: x is \"1.2.3\""]);
    }
}
