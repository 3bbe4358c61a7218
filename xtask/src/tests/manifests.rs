//! Tests that the manifests of the published packages have the facts that a registry shows, and
//! matching versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::tests::{files, root};
use crate::verify::crates::{self, Package};

type Packages = BTreeMap<String, Package>;

#[test]
fn manifests_are_complete() {
    let packages = crates::published(root()).expect("packages");
    let packages: Packages = packages.into_iter().map(|one| (one.name.clone(), one)).collect();
    let mut wrong = Vec::new();
    for (name, package) in &packages {
        let library = root().join("crates").join(name).join("src/lib.rs");
        let text = fs::read_to_string(&library).expect(name);
        let has_no_std = text.lines().any(|line| line == "#![no_std]");
        wrong.extend(problems(package, has_no_std));
        wrong.extend(pins(package, &packages));
    }
    // All packages inherit the address from the workspace, so it changes in one line.
    let addresses = packages.values().map(|package| package.other["repository"].to_string());
    let addresses: BTreeSet<_> = addresses.collect();
    assert_eq!(addresses.len(), 1, "packages with different addresses: {addresses:?}");
    let project = fs::read_to_string(root().join("starting-point/Cargo.toml")).expect("a manifest");
    for (name, package) in &packages {
        let right = format!("{name} = {}", package.other["version"]);
        let is_wrong = |line: &&str| line.starts_with(&format!("{name} = ")) && *line != right;
        wrong.extend(project.lines().filter(is_wrong).map(|line| format!("{line} is not {right}")));
    }
    assert!(wrong.is_empty(), "the manifests:\n{}", wrong.join("\n"));
}

/// Cargo would not build the tests of such a library.
#[test]
fn libraries_without_test_builds_have_no_tests() {
    for package in crates::published(root()).expect("packages") {
        if package.targets("lib").any(|library| !library.test) {
            for file in files(&package.folder().join("src"), ".rs") {
                let text = fs::read_to_string(&file).expect("a file");
                assert!(!text.contains("#[test]"), "{}", file.display());
            }
        }
    }
}

fn text<'v>(of: &'v Value, key: &str) -> Option<&'v str> {
    of[key].as_str().filter(|text| !text.is_empty())
}

fn list<'v>(of: &'v Value, key: &str) -> Vec<&'v str> {
    of[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns the problems that this manifest causes for a registry, or for users of the package.
fn problems(
    Package { name, other: package, metadata, .. }: &Package,
    has_no_std: bool,
) -> Vec<String> {
    let description = text(package, "description").unwrap_or_default();
    let [keywords, categories] = ["keywords", "categories"].map(|key| list(package, key));
    let says_no_std = categories.iter().any(|one| one.starts_with("no-std"));
    let pages = &metadata["docs"]["rs"];
    let rules = [
        ((1..=120).contains(&description.len()), "`description` has 1 to 120 characters"),
        (!description.ends_with('.'), "`description` is a title, without a full stop"),
        (package["license"] == "MIT OR Apache-2.0", "no `license.workspace = true`"),
        (package["readme"] == "README.md", "no `readme = \"README.md\"`"),
        (package["repository"].is_string(), "no `repository.workspace = true`"),
        (
            package["documentation"].is_null(),
            "`documentation` must be omitted, as RELEASING.md says",
        ),
        // A registry refuses more than five keywords or categories.
        ((1..=5).contains(&keywords.len()), "one to five keywords"),
        ((1..=5).contains(&categories.len()), "one to five categories"),
        (says_no_std == has_no_std, "the category `no-std::no-alloc` goes with `#![no_std]`"),
        (pages["all-features"] == true, "no `all-features = true` for docs.rs"),
        (!list(pages, "targets").is_empty(), "no `targets` for docs.rs"),
    ];
    let wrong = rules.into_iter().filter(|(is_right, _)| !is_right);
    wrong.map(|(_, rule)| format!("crates/{name}/Cargo.toml: {rule}")).collect()
}

/// Returns the dependencies on packages of this workspace that accept another version. Test dependencies without a
/// version do not count: the published manifest lacks them.
fn pins(package: &Package, packages: &Packages) -> Vec<String> {
    let all = package.other["dependencies"].as_array().into_iter().flatten();
    let kept = all.filter(|one| one["kind"] != "dev" || one["req"] != "*");
    let wrong = kept.filter_map(|dependency| {
        let needed = text(dependency, "name")?;
        let version = text(&packages.get(needed)?.other, "version")?;
        let (name, accepted) = (&package.name, &dependency["req"]);
        (*accepted != format!("={version}"))
            .then(|| format!("{name} needs {needed} {accepted}, not ={version}"))
    });
    wrong.collect()
}
