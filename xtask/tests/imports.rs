//! Imports between the source files of each crate: no circles, and one direction between layers.
//!
//! A file imports another if a path in its code leads there: through `use`, a child module, or a
//! re-export. `mod` and `pub use` import nothing; tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenTree::{self, Group, Ident, Punct};
use proc_macro2::{Delimiter, TokenStream};
use syn::UseTree;

/// Folders and files of a crate in layers: each imports only from earlier layers, not from others in its own layer.
const LAYERS: [(&str, &[&[&str]]); 2] = [
    (
        "crates/arm-pmu-core",
        &[
            &["encoding"],
            &["bus"],
            &["register"],
            &["event"],
            &["count"],
            &["metric"],
            &["measure"],
            &["sample"],
            &["driver"],
            &["schedule"],
            &["diagnose"],
            &["report"],
            &["formats"],
        ],
    ),
    (
        "crates/arm-pmu-cli",
        &[
            &["base"],
            &["lookup", "linux", "prompt"],
            &["completion", "man"],
            &["run"],
            &["schemas"],
        ],
    ),
];

/// The two states of a device: `start` changes one into the other, and `stop` changes it back. If both are generated,
/// the two files count as one.
const STATES: [&str; 2] = ["pmu", "running"];

/// Words before the name of an item.
const ITEMS: &str = "const enum fn macro_rules static struct trait type";

/// A path of names: the path of a module in its crate (empty for the root), or a path in code.
type Names = Vec<String>;

/// A source file, or an inline module.
#[derive(Default)]
struct Module {
    /// Module of the file with the code of this module.
    file: Names,
    /// Paths in its code.
    paths: Vec<Names>,
    /// Names that `use` gives to paths; `*` for all names of a module.
    bound: Vec<(String, Names)>,
    items: BTreeSet<String>,
    /// Inline modules.
    inner: Vec<(String, TokenStream)>,
}

struct Crate {
    folder: String,
    modules: BTreeMap<Names, Module>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn joined(path: &[String], name: impl ToString) -> Names {
    path.iter().cloned().chain([name.to_string()]).collect()
}

/// Every crate of the workspace.
fn crates() -> Vec<Crate> {
    let mut folders = vec!["xtask".to_owned()];
    for parent in ["crates", "xtask"] {
        for entry in fs::read_dir(root().join(parent)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            folders.push(format!("{parent}/{}", name.to_string_lossy()));
        }
    }
    folders.retain(|folder| root().join(folder).join("Cargo.toml").exists());
    folders.sort();
    let read = |folder: String| {
        let source = root().join(&folder).join("src");
        let mut of = Crate { folder, modules: BTreeMap::new() };
        of.read(&source, &[]);
        of
    };
    let all: Vec<_> = folders.into_iter().map(read).collect();
    assert!(all.len() > 30, "only {} crates", all.len());
    all
}

/// Splits the rest of a path from tokens that follow its first name.
fn path<'t>(first: &dyn ToString, mut tokens: &'t [TokenTree]) -> (Names, &'t [TokenTree]) {
    let mut path = vec![first.to_string()];
    while let [Punct(one), Punct(other), Ident(name), rest @ ..] = tokens
        && (one.as_char(), other.as_char()) == (':', ':')
    {
        path.push(name.to_string());
        tokens = rest;
    }
    (path, tokens)
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, Punct(mark) if mark.as_char() == ';')
}

/// Returns the tokens after an item, which ends with a semicolon or a block.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let ends = |token: &TokenTree| match token {
        Group(group) => group.delimiter() == Delimiter::Brace,
        _ => is_semicolon(token),
    };
    tokens.splitn(2, ends).nth(1).unwrap_or_default()
}

impl Module {
    /// Adds code: all of the module, or the contents of brackets.
    fn scan(&mut self, tokens: TokenStream, is_whole: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = &tokens[..];
        loop {
            rest = match rest {
                [] => return,
                [Punct(mark), Group(attribute), item @ ..]
                    if mark.as_char() == '#' && attribute.to_string() == "[cfg (test)]" =>
                {
                    after_item(item)
                }
                // Paths in a macro belong to the calling file, and paths with `$crate` to the macro.
                [Ident(word), Punct(_), Ident(name), Group(_), after @ ..]
                    if word == "macro_rules" =>
                {
                    self.items.insert(name.to_string());
                    after
                }
                [Punct(mark), Ident(name), after @ ..] if mark.as_char() == '$' => {
                    path(name, after).1
                }
                [Ident(word), Ident(name), Group(body), after @ ..] if word == "mod" => {
                    self.inner.push((name.to_string(), body.stream()));
                    after
                }
                [Ident(public), Ident(word), tree @ ..]
                | [Ident(public), Group(_), Ident(word), tree @ ..]
                    if public == "pub" && word == "use" =>
                {
                    self.bind(tree, false)
                }
                [Ident(word), tree @ ..] if word == "use" => self.bind(tree, true),
                [Ident(word), Ident(name), after @ ..]
                    if is_whole && ITEMS.split(' ').any(|item| word == item) =>
                {
                    self.items.insert(name.to_string());
                    after
                }
                [Ident(name), Punct(mark), ..] if mark.as_char() == ':' => {
                    let (path, after) = path(name, &rest[1..]);
                    self.paths.extend((path.len() > 1).then_some(path));
                    after
                }
                [Group(group), after @ ..] => {
                    self.scan(group.stream(), false);
                    after
                }
                [_, after @ ..] => after,
            };
        }
    }

    /// Binds the names of a `use`, and returns the tokens after it.
    fn bind<'t>(&mut self, tokens: &'t [TokenTree], is_import: bool) -> &'t [TokenTree] {
        let Some(end) = tokens.iter().position(is_semicolon) else { return tokens };
        let tree = tokens[..end].iter().cloned().collect();
        // Not in arguments of a macro, and not the bound `use<'a>`.
        let Ok(tree) = syn::parse2(tree) else { return tokens };
        let bound = self.bound.len();
        self.bind_tree(&tree, &[]);
        if is_import {
            self.paths.extend(self.bound[bound..].iter().map(|(_, path)| path.clone()));
        }
        &tokens[end..]
    }

    fn bind_tree(&mut self, tree: &UseTree, before: &[String]) {
        let (name, path) = match tree {
            UseTree::Path(of) => return self.bind_tree(&of.tree, &joined(before, &of.ident)),
            UseTree::Group(of) => {
                return of.items.iter().for_each(|tree| self.bind_tree(tree, before));
            }
            UseTree::Glob(_) => ("*".to_owned(), before.to_vec()),
            UseTree::Name(of) if of.ident == "self" => {
                (before.last().expect("a module").clone(), before.to_vec())
            }
            UseTree::Name(of) => (of.ident.to_string(), joined(before, &of.ident)),
            UseTree::Rename(of) => (of.rename.to_string(), joined(before, &of.ident)),
        };
        self.bound.push((name, path));
    }
}

impl Crate {
    /// Reads the files in the folder of a module.
    fn read(&mut self, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let inner = joined(module, &stem);
            if path.is_dir() && stem != "tests" {
                self.read(&path, &inner);
            } else if path.extension().is_some_and(|ending| ending == "rs") && stem != "tests" {
                let is_root = module.is_empty()
                    && (stem == "lib" || stem == "main" && !folder.join("lib.rs").exists());
                let file = if is_root || stem == "mod" { module.to_vec() } else { inner };
                let tokens: TokenStream =
                    fs::read_to_string(&path).expect("a text").parse().expect("Rust");
                self.add(file.clone(), &file, tokens);
            }
        }
    }

    fn add(&mut self, module: Names, file: &Names, tokens: TokenStream) {
        let mut of = Module { file: file.clone(), ..Module::default() };
        of.scan(tokens, true);
        for (name, tokens) in std::mem::take(&mut of.inner) {
            self.add(joined(&module, name), file, tokens);
        }
        self.modules.insert(module, of);
    }

    /// The files that a file imports, without its own modules.
    fn imports(&self, of: &Names) -> BTreeSet<&Names> {
        let own = self.modules.iter().filter(|(_, module)| module.file == *of);
        let paths =
            own.flat_map(|(place, module)| module.paths.iter().map(move |path| (place, path)));
        let found = paths.filter_map(|(place, path)| Some(&self.resolve(place, path, 0)?.file));
        found.filter(|file| !is_one_thing(of, file)).collect()
    }

    /// The module that defines the item of a path in a module; `None` if it is outside of this crate.
    fn resolve(&self, place: &Names, path: &[String], depth: usize) -> Option<&Module> {
        let mut at = place.clone();
        for (nth, name) in path.iter().enumerate() {
            match name.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ if self.modules.contains_key(&joined(&at, name)) => at.push(name.clone()),
                _ => {
                    let module = self.modules.get(&at)?;
                    let found = module.items.contains(name).then_some(module);
                    // Renamed or exported again: the rest of the path goes on from there.
                    let mut bound = module.bound.iter().filter(|_| depth < 8);
                    let found = found.or_else(|| {
                        bound.find_map(|(known, target)| match known {
                            known if known == name => {
                                let whole = [target, &path[nth + 1..]].concat();
                                self.resolve(&at, &whole, depth + 1)
                            }
                            known if known == "*" => {
                                let found = self.resolve(&at, &joined(target, name), depth + 1)?;
                                found.items.contains(name).then_some(found)
                            }
                            _ => None,
                        })
                    });
                    // An unknown first name is another crate, a prelude item, or a local.
                    return found.or((nth > 0).then_some(module));
                }
            }
        }
        self.modules.get(&at)
    }

    fn files(&self) -> impl Iterator<Item = &Names> {
        self.modules.iter().filter(|(place, module)| module.file == **place).map(|(place, _)| place)
    }

    /// The files that import each other, each with its imports inside the circle.
    fn circles(&self) -> Vec<String> {
        let imports: BTreeMap<_, _> = self.files().map(|file| (file, self.imports(file))).collect();
        let reaches = |from: &Names, to: &Names| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(file) = next.pop() {
                if file == to {
                    return true;
                }
                next.extend(imports[file].iter().filter(|import| seen.insert(**import)));
            }
            false
        };
        let back = |file: &Names| {
            let inside = imports[file].iter().filter(|import| reaches(import, file));
            inside.map(|import| self.import(file, import)).collect::<Vec<_>>()
        };
        self.files().flat_map(back).collect()
    }

    fn import(&self, file: &Names, import: &Names) -> String {
        format!("{}: {} imports {}", self.folder, file.join("/"), import.join("/"))
    }
}

/// Whether two files count as one: a folder with its contents, or the states of a generated driver.
fn is_one_thing(of: &Names, other: &Names) -> bool {
    let states = |file: &Names| match &file[..] {
        [folder, name] => folder == "generated" && STATES.contains(&name.as_str()),
        _ => false,
    };
    other.starts_with(of) || states(of) && states(other)
}

#[test]
fn no_files_import_each_other() {
    let all: Vec<_> = crates().iter().flat_map(Crate::circles).collect();
    assert!(all.is_empty(), "circles:\n{}", all.join("\n"));
}

#[test]
fn folders_import_from_the_layers_below() {
    let all = crates();
    let mut wrong = Vec::new();
    for (folder, layers) in LAYERS {
        let of = all.iter().find(|of| of.folder == folder).expect("a crate");
        let layer = |file: &Names| {
            let folder = file.first()?.as_str();
            layers.iter().position(|layer| layer.contains(&folder))
        };
        for file in of.files().filter(|file| file.first().is_some_and(|name| name != "main")) {
            assert!(layer(file).is_some(), "{folder}: {} is in no layer", file.join("/"));
            let others = of.imports(file).into_iter().filter(|other| other.first() != file.first());
            let above = others.filter(|other| layer(other).is_none_or(|n| Some(n) >= layer(file)));
            wrong.extend(above.map(|other| of.import(file, other)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
