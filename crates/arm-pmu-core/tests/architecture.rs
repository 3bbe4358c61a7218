//! Imports of this crate: one direction between modules, no circle between files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders in order. Each imports only from those before it.
///
/// `encoding` and `formats` are files.
const ORDER: [&str; 12] = [
    "encoding", "bus", "register", "event", "count", "metric", "measure", "driver", "schedule",
    "diagnose", "report", "formats",
];

/// The imports of one file, as `folder/file`: from other folders, the `mod.rs` stands for all files.
struct File {
    name: String,
    imports: BTreeSet<String>,
}

impl File {
    fn folder(&self) -> &str {
        folder(&self.name)
    }
}

fn folder(file: &str) -> &str {
    file.split('/').next().unwrap()
}

/// All source files without `lib.rs`, the `mod.rs`, and tests.
fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for entry in fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()) {
        let stem = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        if entry.is_file() {
            if stem != "lib" {
                files.push(file(&entry, stem));
            }
            continue;
        }
        for inner in fs::read_dir(&entry).unwrap().map(|inner| inner.unwrap().path()) {
            let name = inner.file_stem().unwrap().to_str().unwrap();
            if inner.is_file() && name != "mod" {
                files.push(file(&inner, format!("{stem}/{name}")));
            }
        }
    }
    assert!(files.len() > 40, "only {} files", files.len());
    files
}

fn file(path: &Path, name: String) -> File {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    // Links of documentation may point anywhere.
    let code: String = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut imports = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with('$') {
            continue; // A macro, which names this crate from another one.
        }
        imports.extend(names(&code[at + "crate::".len()..]));
    }
    for (at, _) in code.match_indices("super::") {
        let inside_of_a_file =
            code[..at].lines().last().is_some_and(|line| line.starts_with("    use"));
        if !inside_of_a_file {
            let siblings = names(&code[at + "super::".len()..]);
            imports
                .extend(siblings.into_iter().map(|sibling| format!("{}/{sibling}", folder(&name))));
        }
    }
    File { name, imports }
}

/// The first name of a path, or of each path in a list: `a` of `a::B`, `a` and `b` of `{a, b::C}`.
fn names(path: &str) -> Vec<String> {
    let first = |path: &str| {
        let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
        path[..end].to_owned()
    };
    match path.strip_prefix('{') {
        None => vec![first(path)],
        Some(list) => {
            let list = list.split('}').next().unwrap();
            list.split(',').map(|path| first(path.trim())).filter(|name| !name.is_empty()).collect()
        }
    }
}

#[test]
fn folders_import_from_those_before_them() {
    let place = |folder: &str| ORDER.iter().position(|known| *known == folder);
    let mut wrong = Vec::new();
    for file in files() {
        let own = place(file.folder());
        assert!(own.is_some(), "{} is not in the order", file.name);
        for import in &file.imports {
            match place(folder(import)) {
                Some(other) if Some(other) <= own => {}
                Some(_) => wrong.push(format!("{} imports from {import}", file.name)),
                None => wrong.push(format!("{} imports {import} through lib.rs", file.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_of_a_folder_import_from_the_file_where_a_thing_lives_and_in_no_circle() {
    let files = files();
    let known: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &files {
        let own = file.imports.iter().filter(|import| folder(import) == file.folder());
        let own: BTreeSet<&str> = own.map(String::as_str).collect();
        for import in &own {
            assert!(known.contains(import), "{} imports {import}, which is no file", file.name);
        }
        left.insert(&file.name, own);
    }
    // Remove files that import no remaining file. Only circles remain.
    loop {
        let here: BTreeSet<&str> = left.keys().copied().collect();
        let before = left.len();
        left.retain(|_, imports| imports.iter().any(|import| here.contains(import)));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "in circles, or behind one: {left:#?}");
}
