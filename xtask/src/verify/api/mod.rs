//! `cargo xtask api`: the public items of each published library, one a line, as stored in `xtask/api`.
//!
//! A change of them is a change of these files, which a reviewer sees. Items that `gen` writes from a spec are not
//! stored: a change of them is a change of a spec or of the generator. The listing is made from rustdoc's JSON. Its
//! form is not stable, so one version of the compiler makes it, as for figures.

mod examples;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use public_api::Builder;

use crate::command::{self, cargo, output};
use crate::generate::load;
use crate::output::outln;
use crate::verify::arm::{DISTRIBUTION, RUSTDOC, Toolchain, skip};

#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Write nothing; fail if the public items are not those stored
    #[arg(long)]
    check: bool,
}

/// Where the listings are.
const STORED: &str = "xtask/api";

/// Packages without a listing: their items are for this workspace, or made for it so far.
const UNLISTED: [&str; 3] = ["arm-pmu-cli", "arm-pmu-lookup", "arm-pmu-spec"];

/// The package of the macro, which rustdoc describes in another way.
const MACROS: &str = "arm-pmu-derive";

/// Other packages whose items are part of public ones, and why. A major version of such a package is one of ours too.
const FOREIGN: [(&str, &str); 3] = [
    ("defmt", "the feature `defmt` implements its trait `Format`"),
    ("schemars", "the feature `schema` of arm-pmu-tables implements its trait `JsonSchema`"),
    ("serde_core", "the feature `serde` implements the traits of serde, which are defined there"),
];

/// Stores the public items, or compares them with those stored.
///
/// # Errors
///
/// If a library does not build, or with `--check`, if an item was added, changed or removed.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let toolchain = match host().and_then(|host| Toolchain::of_figures(root, host)) {
        Ok(toolchain) => toolchain,
        Err(missing) => return skip("the public items", &missing),
    };
    let libraries = libraries(root)?;
    // Those of architectures have hidden items, which drivers re-export.
    let specs = load::Directories::read(root)?;
    let architectures = load::architectures(root)?;
    let (shared, others): (Vec<_>, Vec<_>) =
        libraries.iter().partition(|name| architectures.contains(name));
    let macros = of_macros(root)?;
    let mut found = vec![(MACROS.to_owned(), (macros.clone(), macros))];
    let mut pages = examples::Pages::default();
    // What drivers re-export of the registers of their architecture is hidden there.
    for (names, hidden) in [(others, false), (shared, true)] {
        let directory = document(root, &toolchain, &names, hidden)?;
        for name in names {
            let path = directory.join(format!("{}.json", name.replace('-', "_")));
            let of_all = items(root, &path, !is_another(&specs, name));
            found.push((name.clone(), of_all.with_context(|| name.clone())?));
            pages.add(&path)?;
        }
    }
    let ours = libraries.iter().map(|name| name.replace('-', "_")).collect();
    foreign(&ours, &found)?;

    let mut changed = Vec::new();
    for name in orphans(root, &found)? {
        outln!("{name}: no such library");
        if !arguments.check {
            fs::remove_file(root.join(STORED).join(&name))?;
        }
        changed.push(name);
    }
    for (name, (_, items)) in &found {
        let stored = root.join(STORED).join(format!("{name}.txt"));
        let old = fs::read_to_string(&stored).unwrap_or_default();
        if old == *items {
            continue;
        }
        outln!("{name}:\n{}", difference(&old, items));
        changed.push(name.clone());
        if !arguments.check {
            fs::create_dir_all(root.join(STORED))?;
            fs::write(&stored, items)?;
        }
    }
    if arguments.check && !changed.is_empty() {
        bail!(
            "other public items than those stored: {}. `cargo xtask api` stores them. RELEASING.md says which changes \
             need which version",
            changed.join(", ")
        );
    }
    let pages = pages.check()?;
    outln!("{} libraries, {} with other items than before", found.len(), changed.len());
    outln!("{pages} pages, each with an example or a link to one");
    Ok(())
}

/// As [`run`] with `--check`.
///
/// # Errors
///
/// As [`run`].
pub fn check(root: &Path) -> Result<()> {
    run(root, &Arguments { check: true })
}

/// The target that programs here are built for.
fn host() -> Result<&'static str, String> {
    let text = output("rustc", &["-vV"]).ok_or("there is no rustc")?;
    let host = command::host(&text).ok_or("rustc does not say its host")?;
    Ok(String::leak(host.to_owned()))
}

/// The packages under `crates/` with public items for users but macros, in order.
///
/// # Errors
///
/// If they cannot be listed.
pub fn libraries(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| !UNLISTED.contains(&name.as_str()) && name != MACROS);
    names.sort();
    Ok(names)
}

/// The other packages under `crates/`.
pub fn unlisted() -> impl Iterator<Item = &'static str> {
    UNLISTED.into_iter().chain([MACROS])
}

/// Lets rustdoc write what it knows of these packages with all features, and returns where.
fn document(
    root: &Path,
    toolchain: &Toolchain,
    names: &[&String],
    hidden: bool,
) -> Result<PathBuf> {
    // In the profile of the images, like the pages.
    let mut arguments = vec!["--quiet", "--release", "--no-deps", "--all-features", "--lib"];
    for name in names {
        arguments.extend(["--package", name.as_str()]);
    }
    let mut flags = "-Zunstable-options --output-format=json --cap-lints=allow".to_owned();
    if hidden {
        flags += " --document-hidden-items";
    }
    toolchain.documentation(root, &arguments, &flags).run()?;
    Ok(toolchain.directory(root).join("doc"))
}

/// The macros of [`MACROS`], and their attributes: rustdoc knows the first, and their page has tables of the others,
/// which a test of the package holds against its code.
fn of_macros(root: &Path) -> Result<String> {
    let built = root.join("target/api");
    cargo(root, &["doc", "--quiet", "--no-deps", "--lib", "--package", MACROS])
        .env("CARGO_TARGET_DIR", &built)
        // As for the others.
        .env("RUSTC", DISTRIBUTION)
        .env("RUSTDOC", RUSTDOC)
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json --cap-lints=allow")
        .env("RUSTC_BOOTSTRAP", "1")
        .run()?;
    // A macro is built for the host.
    let path = built.join("doc").join(format!("{}.json", MACROS.replace('-', "_")));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    macros(&serde_json::from_str(&text)?)
}

/// The macros that rustdoc describes, one a line, each with its attributes.
fn macros(document: &serde_json::Value) -> Result<String> {
    let items = document["index"].as_object().context("rustdoc wrote no items")?;
    let mut lines = Vec::new();
    for item in items.values() {
        let of = &item["inner"]["proc_macro"];
        let (Some(kind), Some(name)) = (of["kind"].as_str(), item["name"].as_str()) else {
            continue;
        };
        lines.push(format!("#[{kind}({name})]"));
        for helper in of["helpers"].as_array().into_iter().flatten().filter_map(|one| one.as_str())
        {
            lines.push(format!("#[{kind}({name})] #[{helper}]"));
        }
        let mut place = String::new();
        for line in item["docs"].as_str().unwrap_or_default().lines() {
            if let Some(heading) = line.strip_prefix("# ") {
                place = heading.replace('`', "");
            }
            let cell = line.strip_prefix("| `").and_then(|row| row.split('`').next());
            if let Some(attribute) = cell {
                lines.push(format!("#[{kind}({name})] {place}: {attribute}"));
            }
        }
    }
    if lines.is_empty() {
        bail!("rustdoc describes no macro");
    }
    lines.sort();
    Ok(lines.join("\n") + "\n")
}

/// The public items, one a line: all, and those to store. Left out of both: auto traits, blanket implementations, and
/// methods of traits, which follow from the line of the `impl`.
fn items(root: &Path, path: &Path, has_driver: bool) -> Result<(String, String)> {
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let index = &document["index"];
    let api = Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let (mut all, mut lines) = (String::new(), Vec::new());
    let mut seen = BTreeSet::new();
    // Of each type, the line for its derived traits, and these.
    let mut derived: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for item in api.items() {
        let of = &index[item.id().0.to_string()];
        let parent = item.parent_id().map(|id| &index[id.0.to_string()]["inner"]["impl"]["trait"]);
        if of["inner"]["function"].is_object() && parent.is_some_and(serde_json::Value::is_object) {
            continue;
        }
        let line = format!("{item}\n");
        // `derive(PartialEq)` makes this one.
        if line.contains("core::marker::StructuralPartialEq") {
            continue;
        }
        // An implementation stands in the listing once for each path of its type.
        if !is_generated(root, of, has_driver)? && seen.insert(line.clone()) {
            match derive(of, line.trim_end()) {
                Some((name, subject)) => {
                    let (_, names) = derived.entry(subject.to_owned()).or_insert_with(|| {
                        lines.push(String::new());
                        (lines.len() - 1, BTreeSet::new())
                    });
                    names.insert(name.to_owned());
                }
                None => lines.push(line.clone()),
            }
        }
        all += &line;
    }
    for (subject, (at, names)) in derived {
        let names: Vec<_> = names.into_iter().collect();
        lines[at] = format!("#[derive({})] {subject}\n", names.join(", "));
    }
    Ok((all, lines.concat()))
}

/// The name of the trait, and the type, of an implementation that a derive macro made.
fn derive<'a>(item: &serde_json::Value, line: &'a str) -> Option<(&'a str, &'a str)> {
    let is_derived = item["attrs"].to_string().contains("automatically_derived");
    let (of, subject) = line.split_once(" for ").filter(|_| is_derived)?;
    // `impl<'de> serde_core::de::Deserialize<'de>`: the last name outside of brackets.
    let path = of.strip_suffix("<'de>").unwrap_or(of);
    Some((path.rsplit("::").next()?, subject))
}

/// Whether an IP has the architecture of one before it, so that `gen` writes the same driver for both.
fn is_another(specs: &load::Directories, name: &str) -> bool {
    let Some(architecture) = specs.architecture_of(name) else { return false };
    let before = specs.ips().into_iter().flatten().take_while(|ip| *ip != name);
    before.into_iter().any(|ip| specs.architecture_of(ip) == Some(architecture))
}

/// Generated files with the driver itself, whose items are stored, once for each architecture.
const DRIVER: [&str; 3] = ["pmu.rs", "running.rs", "stopped.rs"];

/// Whether `gen` writes this item from a spec.
fn is_generated(root: &Path, item: &serde_json::Value, has_driver: bool) -> Result<bool> {
    let Some(file) = item["span"]["filename"].as_str().map(Path::new) else { return Ok(false) };
    let is_driver = file.file_name().is_some_and(|name| DRIVER.iter().any(|own| name == *own));
    if is_driver && has_driver {
        return Ok(false);
    }
    let text = fs::read_to_string(root.join(file)).with_context(|| file.display().to_string())?;
    Ok(text.starts_with("// @generated"))
}

/// Refuses items of packages without a reason in [`FOREIGN`], and reasons of packages without items.
fn foreign(ours: &BTreeSet<String>, items: &[(String, (String, String))]) -> Result<()> {
    let mut used = BTreeSet::new();
    for (name, (text, _)) in items {
        for line in text.lines() {
            for package in roots(line).filter(|root| !ours.contains(*root)) {
                if !FOREIGN.iter().any(|(known, _)| *known == package) {
                    bail!(
                        "{name} has an item of `{package}`:\n  {line}\nWith a major version of that package comes one \
                         of ours: give the reason in xtask/src/verify/api/mod.rs, or make the item private"
                    );
                }
                used.insert(package);
            }
        }
    }
    match FOREIGN.iter().find(|(known, _)| !used.contains(known)) {
        Some((unused, _)) => bail!("no public item is of `{unused}`: remove its reason"),
        None => Ok(()),
    }
}

/// The names of files in [`STORED`] that are the listing of none of these libraries.
fn orphans(root: &Path, found: &[(String, (String, String))]) -> Result<Vec<String>> {
    let directory = root.join(STORED);
    let mut names = Vec::new();
    if directory.is_dir() {
        for entry in fs::read_dir(directory)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
    }
    names.retain(|file| !found.iter().any(|(name, _)| *file == format!("{name}.txt")));
    names.sort();
    Ok(names)
}

/// The packages of the paths in a line, without those that each program has.
fn roots(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == ':';
    line.split(move |letter| !is_path(letter)).filter_map(|path| {
        let (root, _) = path.split_once("::")?;
        let is_package = root.starts_with(|letter: char| letter.is_ascii_lowercase());
        let is_own = ["core", "alloc", "std", "super", "self", "bool"].contains(&root);
        // `u32::MAX`, in the length of an array.
        let is_number = root.trim_start_matches(['u', 'i']).parse::<u8>().is_ok();
        (is_package && !is_own && !is_number).then_some(root)
    })
}

/// The lines that were removed and added.
fn difference(old: &str, new: &str) -> String {
    let lines = |text: &'_ str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (old, new) = (lines(old), lines(new));
    let removed = old.difference(&new).map(|line| format!("- {line}\n"));
    let added = new.difference(&old).map(|line| format!("+ {line}\n"));
    removed.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<&str> {
        roots(line).collect()
    }

    #[test]
    fn items_of_generated_files_are_not_stored() {
        let root = tempfile::tempdir().expect("a directory");
        fs::write(root.path().join("events.rs"), "// @generated by ..\n").expect("to write");
        fs::write(root.path().join("pmu.rs"), "// @generated by ..\n").expect("to write");
        fs::write(root.path().join("by_hand.rs"), "//! Text.\n").expect("to write");
        let is_left_out = |file: &str| {
            let item = serde_json::json!({ "span": { "filename": file } });
            [true, false]
                .map(|has_driver| is_generated(root.path(), &item, has_driver).expect("a file"))
        };
        assert_eq!(is_left_out("events.rs"), [true, true]);
        assert_eq!(is_left_out("pmu.rs"), [false, true]);
        assert_eq!(is_left_out("by_hand.rs"), [false, false]);
    }

    #[test]
    fn derived_traits_are_one_line() {
        let derived = serde_json::json!({ "attrs": ["automatically_derived"] });
        let line = "impl<'de, T: serde_core::de::Deserialize<'de>> serde_core::de::Deserialize<'de> for a::B<T>";
        assert_eq!(derive(&derived, line), Some(("Deserialize", "a::B<T>")));
        assert_eq!(derive(&serde_json::json!({ "attrs": [] }), line), None);
    }

    #[test]
    fn packages_of_paths_are_found() {
        let line = "impl<S: serde_core::ser::Serializer> core::fmt::Debug for [cci550::Counter<'_>; u16::MAX]";
        assert_eq!(found(line), ["serde_core", "cci550"]);
        assert_eq!(found("pub fn <T as a::B>::c(Self::D) -> super::E"), ["a"]);
    }

    #[test]
    fn a_listing_of_no_library_is_found() {
        let root = tempfile::tempdir().expect("a directory");
        let listed = [("a".to_owned(), (String::new(), String::new()))];
        assert_eq!(orphans(root.path(), &listed).expect("none"), [""; 0]);
        let stored = root.path().join(STORED);
        fs::create_dir_all(&stored).expect("to make");
        for file in ["a.txt", "b.txt"] {
            fs::write(stored.join(file), "").expect("to write");
        }
        assert_eq!(orphans(root.path(), &listed).expect("one"), ["b.txt"]);
    }

    #[test]
    fn an_item_of_another_package_needs_a_reason() {
        let ours = BTreeSet::from(["ours".to_owned()]);
        let items = |text: &str| [("ours".to_owned(), (text.to_owned(), String::new()))];
        let all: String =
            FOREIGN.iter().map(|(name, _)| format!("pub fn ours::f({name}::T)\n")).collect();
        foreign(&ours, &items(&all)).expect("reasons for all");
        let unused = foreign(&ours, &items("pub fn ours::f()")).unwrap_err().to_string();
        assert!(unused.ends_with("remove its reason"), "{unused}");
        let other = foreign(&ours, &items("pub fn ours::f(libc::c_int)")).unwrap_err().to_string();
        assert!(other.starts_with("ours has an item of `libc`:\n  pub fn ours::f("), "{other}");
    }

    #[test]
    fn a_macro_is_listed_with_its_attributes() {
        let docs = "Text.\n\n# `#[event(..)]` on the enum\n\n| attribute | meaning |\n|---|---|\n| `bits = 5` | width |\n";
        let of = serde_json::json!({ "kind": "derive", "helpers": ["event"] });
        let item =
            serde_json::json!({ "name": "Event", "docs": docs, "inner": { "proc_macro": of } });
        let module =
            serde_json::json!({ "name": "crate", "docs": docs, "inner": { "module": {} } });
        let document = serde_json::json!({ "index": { "1": item, "2": module } });
        let expected = "#[derive(Event)]\n#[derive(Event)] #[event(..)] on the enum: bits = 5\n#[derive(Event)] #[event]\n";
        assert_eq!(macros(&document).expect("a macro"), expected);
        assert!(macros(&serde_json::json!({ "index": {} })).is_err());
    }

    #[test]
    fn a_change_is_shown_line_by_line() {
        assert_eq!(difference("a\nb\n", "b\nc\n"), "- a\n+ c\n");
    }
}
