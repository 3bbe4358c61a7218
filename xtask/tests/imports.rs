//! Checks the imports between the source files of each crate: there are no circles, and between two
//! layers, imports have only one direction.
//!
//! A file imports another if a path in its code leads there: through `use`, a child module, or a
//! re-export. `mod` and `pub use` import nothing; tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use quote::ToTokens as _;
use regex::Regex;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMacro, ItemMod, UseTree, Visibility};

/// Folders and files of a crate in layers: each imports only from earlier layers, not from others in its own layer.
const LAYERS: [(&str, &[&str]); 2] = [
    (
        "crates/arm-pmu-core",
        &[
            "encoding", "bus", "register", "event", "count", "metric", "measure", "sample",
            "driver", "schedule", "diagnose", "report", "formats",
        ],
    ),
    ("crates/arm-pmu-cli", &["base", "lookup linux prompt", "completion man", "run", "schemas"]),
];

/// The two states of a device: `start` changes one into the other, and `stop` changes it back. If both are generated,
/// the two files count as one.
const STATES: [&str; 2] = ["pmu", "running"];

/// A path of names: the path of a module in its crate (empty for the root), or a path in code.
type Names = Vec<String>;

/// A source file, or an inline module.
#[derive(Default)]
struct Module {
    /// Path of the module that stands for the whole source file with this module's code.
    file: Names,
    /// Paths in its code.
    paths: Vec<Names>,
    /// Names that `use` gives to paths; `*` for all names of a module.
    bound: Vec<(String, Names)>,
    items: BTreeSet<String>,
    /// Inline modules.
    inner: Vec<(String, Vec<Item>)>,
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

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| one.to_token_stream().to_string() == "# [cfg (test)]")
}

/// The name of an item, if a path can refer to the item.
fn name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(of) => Some(&of.ident),
        Item::Enum(of) => Some(&of.ident),
        Item::Fn(of) => Some(&of.sig.ident),
        Item::Macro(of) => of.ident.as_ref(),
        Item::Static(of) => Some(&of.ident),
        Item::Struct(of) => Some(&of.ident),
        Item::Trait(of) => Some(&of.ident),
        Item::Type(of) => Some(&of.ident),
        _ => None,
    }
}

impl Visit<'_> for Module {
    fn visit_item(&mut self, item: &Item) {
        match item {
            Item::Mod(ItemMod { attrs, ident, content: Some((_, items)), .. })
                if !is_test(attrs) =>
            {
                self.inner.push((ident.to_string(), items.clone()));
            }
            Item::Use(of) => {
                let bound = self.bound.len();
                self.bind_tree(&of.tree, &[]);
                if matches!(of.vis, Visibility::Inherited) && !is_test(&of.attrs) {
                    self.paths.extend(self.bound[bound..].iter().map(|(_, path)| path.clone()));
                }
            }
            // Paths in the definition of a macro belong to the calling file.
            Item::Mod(_) | Item::Macro(ItemMacro { ident: Some(_), .. }) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let names: Names = path.segments.iter().map(|part| part.ident.to_string()).collect();
        self.paths.extend((names.len() > 1).then_some(names));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, of: &syn::Macro) {
        static PATH: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(\$ )?\b\w+( :: \w+)+").expect("an expression"));
        self.visit_path(&of.path);
        let text = of.tokens.to_string();
        // Paths that begin with `$crate` belong to the file of the macro.
        let paths = PATH.find_iter(&text).map(|path| path.as_str());
        let paths = paths.filter(|path| !path.starts_with('$'));
        self.paths.extend(paths.map(|path| path.split(" :: ").map(str::to_owned).collect()));
    }
}

impl Module {
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
                let code = syn::parse_file(&fs::read_to_string(&path).expect("a text"));
                self.add(file.clone(), &file, &code.expect("Rust").items);
            }
        }
    }

    fn add(&mut self, module: Names, file: &Names, items: &[Item]) {
        let mut of = Module { file: file.clone(), ..Module::default() };
        of.items = items.iter().filter_map(name).map(Ident::to_string).collect();
        items.iter().for_each(|item| of.visit_item(item));
        for (name, items) in std::mem::take(&mut of.inner) {
            self.add(joined(&module, name), file, &items);
        }
        self.modules.insert(module, of);
    }

    /// The files that a file imports, except the files of its own modules.
    fn imports(&self, of: &Names) -> BTreeSet<&Names> {
        let own = self.modules.iter().filter(|(_, module)| module.file == *of);
        let paths =
            own.flat_map(|(place, module)| module.paths.iter().map(move |path| (place, path)));
        let found = paths.filter_map(|(place, path)| Some(&self.resolve(place, path, 0)?.file));
        found.filter(|file| !is_one_thing(of, file)).collect()
    }

    /// The module that defines the item to which `path` refers in the module `place`; `None` if the item is outside of
    /// this crate.
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
                    // The name stands for another item (a rename or a re-export), so the rest of
                    // the path starts from that item.
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
                    // If the first name of a path is unknown, it is another crate, an item of the
                    // prelude, or a local name.
                    return found.or((nth > 0).then_some(module));
                }
            }
        }
        self.modules.get(&at)
    }

    fn files(&self) -> impl Iterator<Item = &Names> {
        self.modules.iter().filter(|(place, module)| module.file == **place).map(|(place, _)| place)
    }

    /// Returns the imports that are part of an import cycle, each with its file.
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

/// Whether these two files may import each other: a folder and a file in it, or the files for two
/// states of a generated driver.
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
            layers.iter().position(|layer| layer.split(' ').any(|name| name == folder))
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
