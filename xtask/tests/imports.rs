//! Imports between the source files of each crate: no circles, and one direction between layers.
//!
//! A file imports another if a path in its code leads there: through `use`, a child module, or a
//! re-export. `mod` and `pub use` import nothing; tests may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

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

/// A module path inside a crate: empty for its root.
type Module = Vec<String>;

/// A source file.
#[derive(Debug, Default)]
struct File {
    /// Paths in its code, each with the inline module that has it.
    paths: Vec<(Module, Vec<String>)>,
    /// Names that `use` gives to paths, each with the inline module that has it; `*` for all names of a module.
    names: Vec<(Module, String, Vec<String>)>,
    /// Items that it defines, with their inline module.
    items: BTreeSet<(Module, String)>,
}

/// The files of a crate by their module.
struct Crate {
    folder: String,
    files: BTreeMap<Module, File>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
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
    let all: Vec<_> = folders.into_iter().map(Crate::read).collect();
    assert!(all.len() > 30, "only {} crates", all.len());
    all
}

impl Crate {
    fn read(folder: String) -> Self {
        let source = root().join(&folder).join("src");
        let mut files = BTreeMap::new();
        let mut folders = vec![(source.clone(), Module::new())];
        while let Some((path, module)) = folders.pop() {
            for entry in fs::read_dir(&path).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
                let inner: Module = module.iter().cloned().chain([stem.clone()]).collect();
                if path.is_dir() && stem != "tests" {
                    folders.push((path, inner));
                } else if path.extension().is_some_and(|ending| ending == "rs") && stem != "tests" {
                    let is_root = module.is_empty()
                        && (stem == "lib" || stem == "main" && !source.join("lib.rs").exists());
                    let of_folder = is_root || stem == "mod";
                    files.insert(if of_folder { module.clone() } else { inner }, File::read(&path));
                }
            }
        }
        Self { folder, files }
    }

    /// The files that a file imports.
    fn imports(&self, of: &Module) -> BTreeSet<&Module> {
        let file = &self.files[of];
        let target = |(inline, path): &(Module, Vec<String>)| {
            let place: Module = of.iter().chain(inline).cloned().collect();
            self.resolve(&place, path, 0)
        };
        file.paths.iter().filter_map(target).filter(|target| !is_one_thing(of, target)).collect()
    }

    /// The file that defines the item of a path in a module; `None` if it is outside of this crate.
    fn resolve(&self, place: &[String], path: &[String], depth: usize) -> Option<&Module> {
        let mut path = path;
        let mut at: Module = place.to_vec();
        let mut is_first = true;
        while let Some(first) = path.first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            is_first = false;
            path = &path[1..];
        }
        for (nth, name) in path.iter().enumerate() {
            let inner: Module = at.iter().chain([name]).cloned().collect();
            if self.files.contains_key(&inner) {
                at = inner;
                is_first = false;
                continue;
            }
            let (file, inline) = self.file_of(&at)?;
            if self.files[file].items.contains(&(inline.clone(), name.clone())) {
                return Some(file);
            }
            // Renamed or exported again: the rest of the path goes on from there.
            let rest = &path[nth + 1..];
            let bound = self.files[file].names.iter().filter(|(of, ..)| *of == inline);
            for (_, known, target) in bound {
                if depth > 8 || known != name && known != "*" {
                    continue;
                }
                let more = if known == "*" { &path[nth..] } else { rest };
                let target: Vec<String> = target.iter().chain(more).cloned().collect();
                if (*known != "*" || self.has(&at, &target))
                    && let Some(found) = self.resolve(&at, &target, depth + 1)
                {
                    return Some(found);
                }
            }
            // An unresolved first name is another crate, a prelude item, or a local.
            return if is_first { None } else { Some(file) };
        }
        if is_first { None } else { self.file_of(&at).map(|(file, _)| file) }
    }

    /// Whether the last name of a path is an item of the preceding module.
    fn has(&self, place: &[String], path: &[String]) -> bool {
        let Some((name, module)) = path.split_last() else { return false };
        let Some(file) = self.resolve(place, module, 9) else { return false };
        self.files[file].items.contains(&(Module::new(), name.clone()))
    }

    /// The file of a module, and the rest of the path: its inline modules.
    fn file_of(&self, module: &[String]) -> Option<(&Module, Module)> {
        (0..=module.len()).rev().find_map(|length| {
            let (file, _) = self.files.get_key_value(&module[..length])?;
            Some((file, module[length..].to_vec()))
        })
    }

    /// The files that import each other, each with its imports inside the circle.
    fn circles(&self) -> Vec<BTreeMap<&Module, BTreeSet<&Module>>> {
        let imports: BTreeMap<_, _> =
            self.files.keys().map(|module| (module, self.imports(module))).collect();
        let reached = |from: &Module| {
            let mut reached = BTreeSet::new();
            let mut next: Vec<&Module> = imports[from].iter().copied().collect();
            while let Some(module) = next.pop() {
                if reached.insert(module) {
                    next.extend(&imports[module]);
                }
            }
            reached
        };
        let reached: BTreeMap<_, _> =
            self.files.keys().map(|module| (module, reached(module))).collect();
        let mut circles = BTreeMap::new();
        for module in self.files.keys().filter(|module| reached[module].contains(module)) {
            let is_in = |other: &&Module| {
                reached[module].contains(other) && reached[other].contains(module)
            };
            let all: BTreeSet<&Module> = self.files.keys().filter(is_in).collect();
            let mut circle = BTreeMap::new();
            for &module in &all {
                circle.insert(module, imports[module].intersection(&all).copied().collect());
            }
            circles.insert(all.first().copied(), circle);
        }
        circles.into_values().collect()
    }

    fn name(&self, module: &Module) -> String {
        format!("{}: {}", self.folder, module.join("/"))
    }
}

impl File {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a text");
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut reader = Reader { file: Self::default(), inline: Module::new() };
        reader.visit_file(&syntax);
        reader.file
    }
}

struct Reader {
    file: File,
    /// The inline modules around the current item.
    inline: Module,
}

impl Reader {
    fn path(&mut self, path: Vec<String>) {
        self.file.paths.push((self.inline.clone(), path));
    }

    /// All paths of a `use` tree.
    fn tree(&mut self, tree: &syn::UseTree, before: &[String], is_import: bool) {
        let with = |name: &syn::Ident| -> Vec<String> {
            before.iter().cloned().chain([name.to_string()]).collect()
        };
        let (name, path) = match tree {
            syn::UseTree::Path(of) => return self.tree(&of.tree, &with(&of.ident), is_import),
            syn::UseTree::Group(of) => {
                return of.items.iter().for_each(|tree| self.tree(tree, before, is_import));
            }
            syn::UseTree::Glob(_) => ("*".to_owned(), before.to_vec()),
            syn::UseTree::Name(of) if of.ident == "self" => {
                (before.last().cloned().unwrap_or_default(), before.to_vec())
            }
            syn::UseTree::Name(of) => (of.ident.to_string(), with(&of.ident)),
            syn::UseTree::Rename(of) => (of.rename.to_string(), with(&of.ident)),
        };
        if is_import {
            self.path(path.clone());
        }
        self.file.names.push((self.inline.clone(), name, path));
    }

    /// The paths in the arguments of a macro. Paths with `$crate` belong to the macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut colons, mut is_of_macro) = (0, false);
        for token in tokens
            .into_iter()
            .chain([TokenTree::Punct(proc_macro2::Punct::new(';', proc_macro2::Spacing::Alone))])
        {
            match &token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(name) if colons == 2 && !path.is_empty() => {
                    path.push(name.to_string());
                    colons = 0;
                    continue;
                }
                _ => {}
            }
            let whole = std::mem::take(&mut path);
            if whole.len() > 1 && !is_of_macro {
                self.path(whole);
            }
            colons = 0;
            match token {
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(mark) => {
                    is_of_macro = mark.as_char() == '$';
                    continue;
                }
                TokenTree::Literal(_) => {}
            }
        }
    }
}

/// Whether two files count as one: a folder with its contents, or the states of a generated driver.
fn is_one_thing(of: &Module, other: &Module) -> bool {
    let states = |module: &Module| match &module[..] {
        [folder, name] => folder == "generated" && STATES.contains(&name.as_str()),
        _ => false,
    };
    other.starts_with(of) || states(of) && states(other)
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(of) if of.path.is_ident("cfg") => of.tokens.to_string() == "test",
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        let (attributes, name) = match item {
            Item::Const(of) => (&of.attrs, Some(&of.ident)),
            Item::Enum(of) => (&of.attrs, Some(&of.ident)),
            Item::Fn(of) => (&of.attrs, Some(&of.sig.ident)),
            Item::Static(of) => (&of.attrs, Some(&of.ident)),
            Item::Struct(of) => (&of.attrs, Some(&of.ident)),
            Item::Trait(of) => (&of.attrs, Some(&of.ident)),
            Item::Type(of) => (&of.attrs, Some(&of.ident)),
            Item::Macro(of) => (&of.attrs, of.ident.as_ref()),
            Item::Impl(of) => (&of.attrs, None),
            Item::Use(of) => (&of.attrs, None),
            Item::Mod(of) => {
                if !is_for_tests(&of.attrs)
                    && let Some((_, items)) = &of.content
                {
                    self.inline.push(of.ident.to_string());
                    items.iter().for_each(|item| self.visit_item(item));
                    self.inline.pop();
                }
                return;
            }
            _ => return syn::visit::visit_item(self, item),
        };
        if is_for_tests(attributes) {
            return;
        }
        self.file.items.extend(name.map(|name| (self.inline.clone(), name.to_string())));
        match item {
            Item::Use(of) => {
                let is_import = matches!(of.vis, syn::Visibility::Inherited);
                self.tree(&of.tree, &[], is_import);
            }
            // Paths in a macro belong to the calling file, except `$crate`.
            Item::Macro(of) if of.ident.is_some() => {}
            _ => syn::visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Fn(of) => &of.attrs[..],
            _ => &[],
        };
        if !is_for_tests(attributes) {
            syn::visit::visit_impl_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, of: &'ast syn::Macro) {
        self.tokens(of.tokens.clone());
        syn::visit::visit_macro(self, of);
    }
}

#[test]
fn no_files_import_each_other() {
    let mut all = String::new();
    for of in crates() {
        for circle in of.circles() {
            all += &format!("a circle of {} files:\n", circle.len());
            for (module, imports) in circle {
                let imports: Vec<_> = imports.iter().map(|import| import.join("/")).collect();
                all += &format!("  {} imports {}\n", of.name(module), imports.join(", "));
            }
        }
    }
    assert!(all.is_empty(), "{all}");
}

#[test]
fn folders_import_from_the_layers_below() {
    let all = crates();
    let mut wrong = Vec::new();
    for (folder, layers) in LAYERS {
        let of = all.iter().find(|of| of.folder == folder).expect("a crate");
        let layer = |module: &Module| {
            let is_in =
                |layer: &&[&str]| module.first().is_some_and(|one| layer.contains(&one.as_str()));
            layers.iter().position(is_in)
        };
        let modules = of.files.keys().filter(|module| !module.is_empty());
        for module in modules.filter(|module| !["main", "tests"].contains(&module[0].as_str())) {
            let own = layer(module);
            assert!(own.is_some(), "{} is in no layer", of.name(module));
            for import in
                of.imports(module).into_iter().filter(|import| import.first() != module.first())
            {
                if layer(import).is_none_or(|other| Some(other) >= own) {
                    wrong.push(format!("{} imports {}", of.name(module), import.join("/")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
