//! Duplicate names in generated code: a parser accepts them, but every compiler rejects them.

use quote::ToTokens;
use syn::{File, ImplItem, Item, UseTree};

/// Returns the names that are defined twice in a file, each with its module or type.
pub fn in_file(file: &File) -> Vec<String> {
    let mut names = Names::default();
    names.add_items("", &file.items);
    names.0.sort();
    let twice = names.0.windows(2).filter(|pair| pair[0] == pair[1]);
    twice.map(|pair| pair[0].1.clone()).collect()
}

/// Defined names, each with its namespace.
#[derive(Default)]
struct Names(Vec<(Kind, String)>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Type,
    Value,
}

impl Names {
    fn add(&mut self, place: &str, kind: Kind, name: &impl ToString) {
        self.0.push((kind, format!("{place}::{}", name.to_string())));
    }

    fn add_items(&mut self, place: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(syn::ItemStruct { ident, .. })
                | Item::Type(syn::ItemType { ident, .. }) => self.add(place, Kind::Type, ident),
                Item::Fn(item) => self.add(place, Kind::Value, &item.sig.ident),
                Item::Const(item) => self.add(place, Kind::Value, &item.ident),
                Item::Mod(item) => {
                    self.add(place, Kind::Type, &item.ident);
                    let items = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.add_items(&format!("{place}::{}", item.ident), items);
                }
                Item::Enum(item) => {
                    self.add(place, Kind::Type, &item.ident);
                    let place = format!("{place}::{}", item.ident);
                    item.variants.iter().for_each(|of| self.add(&place, Kind::Type, &of.ident));
                }
                Item::Use(item) => self.add_imports(place, &item.tree),
                // All `impl` blocks of a type share one scope.
                Item::Impl(item) if item.trait_.is_none() => {
                    let place = format!("{place}::{}", item.self_ty.to_token_stream());
                    for member in &item.items {
                        match member {
                            ImplItem::Fn(of) => self.add(&place, Kind::Value, &of.sig.ident),
                            ImplItem::Const(of) => self.add(&place, Kind::Value, &of.ident),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn add_imports(&mut self, place: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.add_imports(place, &path.tree),
            UseTree::Name(name) => self.add(place, Kind::Type, &name.ident),
            UseTree::Group(group) => group.items.iter().for_each(|of| self.add_imports(place, of)),
            // `as _` defines no name; other renames and globs are not generated.
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }
}

#[test]
fn duplicate_names_are_found() {
    let found = |text: &str| in_file(&syn::parse_str(text).expect("Rust"));
    let good = "use a::{B, C as _}; mod b {} fn b() {} struct A; impl A { fn a() {} fn b() {} } \
                impl Clone for A { fn a() {} } enum E { A, B }";
    assert_eq!(found(good), [""; 0]);
    for (text, name) in [
        ("struct A; type A = u8;", "::A"),
        ("use a::A; mod A {}", "::A"),
        ("use a::{b::{C}, d::C};", "::C"),
        ("mod m { fn f() {} const f: u8 = 0; }", "::m::f"),
        ("struct A; impl A { fn a() {} } impl A { fn a() {} }", "::A::a"),
        ("enum E { A, B, A }", "::E::A"),
    ] {
        assert_eq!(found(text), [name]);
    }
}
