//! Duplicate names in generated code: a parser accepts them, but every compiler rejects them.

use std::collections::HashSet;

use quote::ToTokens;
use syn::{File, ImplItem, Item, UseTree};

/// Returns the names that are defined twice in a file, each with its module or type.
pub fn in_file(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    in_items("the file", &file.items, &mut found);
    found
}

/// Names defined in one module.
#[derive(Default)]
struct Names {
    types: HashSet<String>,
    values: HashSet<String>,
    /// Methods and constants of a type, over all its `impl` blocks.
    associated: HashSet<(String, String)>,
}

fn in_items(place: &str, items: &[Item], found: &mut Vec<String>) {
    let mut names = Names::default();
    let mut twice = |is_new: bool, name: &dyn ToString| {
        if !is_new {
            found.push(format!("{} in {place}", name.to_string()));
        }
    };
    let mut modules = Vec::new();
    for item in items {
        match item {
            Item::Struct(item) => twice(names.types.insert(item.ident.to_string()), &item.ident),
            Item::Type(item) => twice(names.types.insert(item.ident.to_string()), &item.ident),
            Item::Fn(item) => {
                twice(names.values.insert(item.sig.ident.to_string()), &item.sig.ident)
            }
            Item::Const(item) => twice(names.values.insert(item.ident.to_string()), &item.ident),
            Item::Mod(item) => {
                twice(names.types.insert(item.ident.to_string()), &item.ident);
                modules.push(item);
            }
            Item::Enum(item) => {
                twice(names.types.insert(item.ident.to_string()), &item.ident);
                let mut variants = HashSet::new();
                for variant in &item.variants {
                    twice(variants.insert(variant.ident.to_string()), &variant.ident);
                }
            }
            Item::Use(item) => {
                for name in imported(&item.tree) {
                    twice(names.types.insert(name.clone()), &name);
                }
            }
            Item::Impl(item) if item.trait_.is_none() => {
                let of = item.self_ty.to_token_stream().to_string();
                for member in &item.items {
                    let name = match member {
                        ImplItem::Fn(method) => method.sig.ident.to_string(),
                        ImplItem::Const(constant) => constant.ident.to_string(),
                        _ => continue,
                    };
                    twice(names.associated.insert((of.clone(), name.clone())), &name);
                }
            }
            _ => {}
        }
    }
    for module in modules {
        let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
        in_items(&module.ident.to_string(), items, found);
    }
}

fn imported(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => imported(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Group(group) => group.items.iter().flat_map(imported).collect(),
        // `as _` defines no name; other renames and globs are not generated.
        UseTree::Rename(_) | UseTree::Glob(_) => Vec::new(),
    }
}

#[test]
fn duplicate_names_are_found() {
    let found = |text: &str| in_file(&syn::parse_str(text).expect("Rust"));
    let good = "use a::{B, C as _}; mod b {} fn b() {} struct A; impl A { fn a() {} fn b() {} } \
                impl Clone for A { fn a() {} } enum E { A, B }";
    assert_eq!(found(good), [""; 0]);
    for (text, name) in [
        ("struct A; type A = u8;", "A in the file"),
        ("use a::A; mod A {}", "A in the file"),
        ("use a::{b::{C}, d::C};", "C in the file"),
        ("mod m { fn f() {} const f: u8 = 0; }", "f in m"),
        ("struct A; impl A { fn a() {} } impl A { fn a() {} }", "a in the file"),
        ("enum E { A, B, A }", "A in the file"),
    ] {
        assert_eq!(found(text), [name]);
    }
}
