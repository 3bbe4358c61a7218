//! `cargo xtask api`: stores the public items of each published library in `xtask/api`, one a line.
//!
//! A change of the public items changes these files, so a reviewer sees it. Items that `gen` writes
//! from a spec are not stored, because a change of them is a change of a spec or of the generator.
//! The listing is made from rustdoc's JSON. The format of rustdoc's JSON is unstable, so the
//! listing is always made with the same version of the compiler, like the figures.
//!
//! The check also requires that each module's page has an example, or a link to one that is called `Example`, and that
//! rustdoc finds no problem in any page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use heck::ToUpperCamelCase;
use public_api::Builder;
use serde_json::Value;

use crate::command::{Program, output};
use crate::generate::load;
use crate::verify::arm::{Toolchain, skip};
use crate::verify::{crates, docs_rs};

#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Write nothing; fail if the public items differ from the stored listings
    #[arg(long)]
    pub check: bool,
}

/// Directory of the listings.
const STORED: &str = "xtask/api";

/// Packages that have pages, but no listing, because `arm-pmu-derive` has only one macro, and so far nothing outside
/// this workspace uses the others.
const UNLISTED: [&str; 3] = ["arm-pmu-derive", "arm-pmu-lookup", "arm-pmu-spec"];

/// The command's package: the only item of its library is the main function.
const COMMAND: &str = "arm-pmu-cli";

/// Stores the public items, or compares them with the stored items.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let host =
        output("rustc", &["--print", "host-tuple"]).ok_or_else(|| "there is no rustc".to_owned());
    let toolchain = match host.and_then(|host| Toolchain::of_figures(root, String::leak(host))) {
        Ok(toolchain) => toolchain,
        Err(missing) => return skip("the public items", &missing),
    };
    let specs = load::Directories::read(root)?;
    let architectures = load::architectures(root)?;
    let names = crates::published(root)?.into_iter().map(|package| package.name);
    let names = names.filter(|name| name != COMMAND).collect();
    // Crates of one architecture come from the same template.
    let names = crates::without_repeated(root, names)?;
    let mut found = Vec::new();
    for hidden in [false, true] {
        // For the architectures, hidden items are documented too, because drivers re-export items
        // that are hidden in the architecture's registers.
        let names = names.iter().filter(|name| architectures.contains(name) == hidden);
        let names: Vec<_> = names.map(String::as_str).collect();
        let directory = document(root, &toolchain, &names, hidden)?;
        for name in names.into_iter().filter(|name| !UNLISTED.contains(name)) {
            let path = directory.join(format!("{}.json", name.replace('-', "_")));
            let mut library = read(root, &path, hidden).with_context(|| name.to_owned())?;
            library.stored = without_repeated_devices(&specs, &library.stored);
            found.push((name, library));
        }
    }

    let stored = root.join(STORED);
    let made = if arguments.check { root.join("target/api") } else { stored.clone() };
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    fs::create_dir_all(&made)?;
    for (name, library) in &found {
        fs::write(made.join(format!("{name}.txt")), &library.stored)?;
    }
    if arguments.check {
        let compare = ["--no-pager", "diff", "--no-index", "--unified=0"];
        Program::new("git").arguments(compare).arguments([stored, made]).run().context(
            "the public items differ from the stored ones. `cargo xtask api` stores them. RELEASING.md says which changes need \
             which version",
        )?;
    }
    let missing: Vec<_> = found.iter().flat_map(|(_, library)| &library.without_example).collect();
    ensure!(
        missing.is_empty(),
        "these pages have no example, and no link `{LINK}..)`: {missing:?}"
    );
    outln!("{} libraries", found.len());
    Ok(())
}

/// Runs rustdoc for these packages with all features, and returns the directory of its output.
fn document(root: &Path, toolchain: &Toolchain, names: &[&str], hidden: bool) -> Result<PathBuf> {
    // Use the same profile and warnings as for the pages. The images are built with this profile
    // too.
    let mut arguments = vec!["--quiet", "--release", "--no-deps", "--all-features", "--lib"];
    arguments.extend(names.iter().flat_map(|name| ["--package", name]));
    let mut flags = format!("{} -Zunstable-options --output-format=json", docs_rs::FLAGS);
    if hidden {
        flags += " --document-hidden-items";
    }
    toolchain.documentation(root, &arguments, &flags).run()?;
    Ok(toolchain.directory(root).join("doc"))
}

/// Public items of a library, one a line. Omitted: auto traits, blanket implementations, and methods of traits,
/// which follow from the implementation.
#[derive(Default)]
struct Library {
    /// Items of hand-written files, with the traits of a type on one line.
    stored: String,
    /// Modules without an example.
    without_example: Vec<String>,
}

fn read(root: &Path, path: &Path, shows_hidden: bool) -> Result<Library> {
    let document: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let index = &document["index"];
    let api = Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let mut library = Library::default();
    let (mut lines, mut seen) = (Vec::new(), BTreeSet::new());
    // For each type, its traits, and the number of the line that lists them.
    let mut traits: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for item in api.items() {
        let of = &index[item.id().0.to_string()];
        let parent = item.parent_id().map(|id| &index[id.0.to_string()]["inner"]["impl"]["trait"]);
        if of["inner"]["function"].is_object() && parent.is_some_and(Value::is_object) {
            continue;
        }
        let line = item.to_string();
        if of["inner"]["module"].is_object() {
            // The documentation of these modules is only for authors of drivers, so it needs no
            // example.
            let file = of["span"]["filename"].as_str().unwrap_or_default();
            let is_hidden = of["attrs"].to_string().contains("hidden")
                || shows_hidden && file.contains("/generated/");
            if !is_hidden && !has_example(index, of) {
                library.without_example.push(line.clone());
            }
        }
        // If a type has several paths, each implementation for it is listed several times. A derive
        // also implements marker traits.
        let is_marker =
            ["::StructuralPartialEq", "::TrivialClone"].iter().any(|of| line.contains(of));
        if is_marker || is_generated(root, of)? || !seen.insert(line.clone()) {
            continue;
        }
        match implemented(of, &line) {
            Some((name, of_type)) => {
                let (_, names) = traits.entry(of_type.to_owned()).or_insert_with(|| {
                    lines.push(String::new());
                    (lines.len() - 1, BTreeSet::new())
                });
                names.insert(name.to_owned());
            }
            // The block with the inherent items of a type.
            None if of["inner"]["impl"]["trait"].is_null() && of["inner"]["impl"].is_object() => {}
            None => lines.push(line),
        }
    }
    for (of_type, (at, names)) in traits {
        let names: Vec<_> = names.into_iter().collect();
        lines[at] = format!("impl {} for {of_type}", names.join(", "));
    }
    library.stored = lines.into_iter().map(|line| line + "\n").collect();
    Ok(library)
}

/// Returns the names of the trait and the type, if the implementation comes from a derive or has no
/// parameters.
fn implemented<'a>(item: &Value, line: &'a str) -> Option<(&'a str, &'a str)> {
    let (of_trait, of_type) = line.split_once(" for ")?;
    if item["attrs"].to_string().contains("automatically_derived") {
        let path = of_trait.strip_suffix("<'de>").unwrap_or(of_trait);
        return Some((path.rsplit("::").next()?, of_type));
    }
    let plain = of_trait.strip_prefix("impl ").or_else(|| of_trait.strip_prefix("impl<'de> "));
    plain.filter(|_| !of_type.contains(" where ")).map(|name| (name, of_type))
}

/// Text of links to an example.
const LINK: &str = "[Example](";

/// Returns whether the page of an item has code, or a link to code. Items of another crate are
/// checked in that crate.
fn has_example(index: &Value, item: &Value) -> bool {
    let docs = item["docs"].as_str().unwrap_or_default();
    let linked = || {
        let (_, target) = docs.split_once(LINK)?;
        let end = target.find(')')?;
        // The name of a function includes its parenthesis.
        let target = &target[..end + usize::from(target[..end].ends_with('('))];
        let linked = &index[item["links"][target].as_u64()?.to_string()];
        Some(linked["docs"].as_str().is_none_or(has_code))
    };
    has_code(docs) || linked().unwrap_or_default()
}

/// Returns whether there is a block of Rust code, which is compiled as a test.
fn has_code(docs: &str) -> bool {
    let page = documents::Document { path: String::new(), text: docs.to_owned() };
    page.blocks().iter().any(|block| {
        let mut words = block.kind.split(',').map(str::trim);
        words.all(|word| matches!(word, "" | "rust" | "no_run" | "should_panic"))
    })
}

/// Omits items of a simulated device that the device of the architecture's first IP also has.
fn without_repeated_devices(specs: &load::Directories, items: &str) -> String {
    let device = |ip: &str| format!("arm_pmu_sim::{}", ip.to_upper_camel_case());
    let ips = specs.ips().into_iter().flatten();
    let pairs = ips.map(|ip| (ip.as_str(), specs.representative_of(ip)));
    let pairs = pairs.filter(|(ip, first)| ip != first);
    let devices: Vec<_> = pairs.map(|(ip, first)| (device(ip), device(first))).collect();
    let lines: BTreeSet<_> = items.lines().collect();
    let is_repeated = |line: &&str| {
        devices.iter().any(|(device, first)| {
            let is_of_device = line.contains(&format!("{device}::")) || line.ends_with(device);
            is_of_device && lines.contains(&*line.replace(device, first))
        })
    };
    let others = items.lines().filter(|line| !is_repeated(line));
    others.map(|line| format!("{line}\n")).collect()
}

/// Generated files whose public items are stored: the files of the crate and of the driver.
const DRIVER: [&str; 6] =
    ["filter.rs", "identity.rs", "lib.rs", "pmu.rs", "running.rs", "stopped.rs"];

/// Returns whether `gen` writes this item from a spec.
fn is_generated(root: &Path, item: &Value) -> Result<bool> {
    let Some(file) = item["span"]["filename"].as_str().map(Path::new) else { return Ok(false) };
    let is_driver = file.file_name().is_some_and(|name| DRIVER.iter().any(|own| name == *own));
    if is_driver {
        return Ok(false);
    }
    let text = fs::read_to_string(root.join(file)).with_context(|| file.display().to_string())?;
    Ok(text.starts_with("// @generated"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_link_counts_if_it_leads_to_code() {
        let index =
            json!({ "1": { "docs": "```\nf();\n```" }, "2": { "docs": "```text\nf\n```" } });
        let item = |docs: &str, id: u64| json!({ "docs": docs, "links": { "f": id } });
        assert!(has_example(&index, &item("```no_run\nf();\n```", 2)));
        assert!(has_example(&index, &item("[Example](f)", 1)));
        // Of another crate.
        assert!(has_example(&index, &item("[Example](f)", 3)));
        assert!(!has_example(&index, &item("[Example](f)", 2)));
        assert!(!has_example(&index, &item("[Example](g)", 1)));
        assert!(!has_example(&index, &item("```rust,ignore\nf();\n```", 1)));
    }
}
