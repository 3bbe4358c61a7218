//! Makes the code of svd2rust that of this family: our support types, our texts, an order to read.

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{ImplItem, Item, Type};

use super::doc;
use crate::model::{Access, Register};
use crate::names;

/// The items of a register's module, from what svd2rust rendered.
///
/// The struct that names the register and its traits come first, then reading, then writing, then
/// the names of the field types; fields in the order of the manual, high bit first.
pub fn tidy(rendered: TokenStream, register: &Register) -> Result<Vec<Item>> {
    let mut file: syn::File = syn::parse2(rendered).context("svd2rust gave no Rust")?;
    Paths.visit_file_mut(&mut file);
    let mut items = Vec::new();
    for item in file.items {
        if let Some(item) = rework(item, register)? {
            items.push(item);
        }
    }
    items.sort_by_key(|item| rank(item, register));
    Ok(items)
}

/// `crate::X` is `field::X` here.
struct Paths;

impl VisitMut for Paths {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.segments.len() > 1 && path.segments[0].ident == "crate" {
            path.segments[0].ident = names::ident("field");
        }
        visit_mut::visit_path_mut(self, path);
    }
}

/// One item with our texts; `None` for what we have otherwise.
fn rework(mut item: Item, register: &Register) -> Result<Option<Item>> {
    match &mut item {
        Item::Type(alias) => {
            let text = match alias.ident.to_string().as_str() {
                "R" => format!("The value of {}, as it was read.", register.name),
                "W" => format!("A value to write to {}.", register.name),
                name => alias_text(name, register)?,
            };
            redocument(&mut alias.attrs, &text);
        }
        Item::Struct(spec) => redocument(
            &mut spec.attrs,
            &format!("Names {}; nothing of it ever exists.", register.name),
        ),
        Item::Impl(block) => {
            block.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
            match &block.trait_ {
                None => methods(block, register)?,
                Some((path, _)) => match last(path).as_str() {
                    "Debug" => {}
                    // `Located` stands for it.
                    "RegisterSpec" => return Ok(None),
                    "Readable" => {}
                    // INITIAL and KEEP of `Located` say more than its constants.
                    "Writable" => block.items.clear(),
                    other => bail!("svd2rust implements {other} for {}", register.name),
                },
            }
        }
        _ => bail!("svd2rust gave an item of an unknown kind for {}", register.name),
    }
    Ok(Some(item))
}

fn alias_text(name: &str, register: &Register) -> Result<String> {
    for (_, field, _, _) in register.named() {
        if name == names::field_reader(field) {
            return Ok(format!("{field}, as it was read."));
        }
        if name == names::field_writer(field) {
            return Ok(format!("{field}, to be written."));
        }
    }
    bail!("svd2rust names {name}, which is no field of {}", register.name)
}

/// The methods that give the fields, documented, high bit first.
fn methods(block: &mut syn::ItemImpl, register: &Register) -> Result<()> {
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else {
            bail!("svd2rust gave no method for {}", register.name)
        };
        let position = position(&method.sig.ident.to_string(), register);
        let Some((bits, name, access, doc)) = position.and_then(|n| register.named().nth(n)) else {
            bail!("svd2rust names {}, which is no field of {}", method.sig.ident, register.name)
        };
        let noun = if bits.width() == 1 { "Bit" } else { "Bits" };
        let acts = match access {
            Access::WriteOneActs | Access::WriteOneClears | Access::WriteOneSets => {
                format!(" ({})", super::docs::access(access))
            }
            _ => String::new(),
        };
        redocument(&mut method.attrs, &format!("{noun} {bits}, {name}{acts}. {doc}"));
    }
    block.items.sort_by_key(|item| match item {
        ImplItem::Fn(method) => position(&method.sig.ident.to_string(), register),
        _ => None,
    });
    Ok(())
}

/// Which field a method gives.
fn position(method: &str, register: &Register) -> Option<usize> {
    register.named().position(|(_, name, _, _)| names::field_accessor(name) == method)
}

fn redocument(attributes: &mut Vec<syn::Attribute>, text: &str) {
    attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    let lines = doc(&super::docs::paragraph(text));
    let documented: syn::ItemStruct = syn::parse_quote!(#lines struct S;);
    attributes.splice(0..0, documented.attrs);
}

fn rank(item: &Item, register: &Register) -> (usize, usize) {
    match item {
        Item::Struct(_) => (0, 0),
        Item::Impl(block) => match (&block.trait_, self_type(block).as_str()) {
            (Some((path, _)), _) if last(path) != "Debug" => (1, 0),
            (None, "R") => (3, 0),
            (Some(_), _) => (4, 0),
            (None, _) => (6, 0),
        },
        Item::Type(alias) => match alias.ident.to_string().as_str() {
            "R" => (2, 0),
            "W" => (5, 0),
            name => {
                let of = |field: &str| {
                    name == names::field_reader(field) || name == names::field_writer(field)
                };
                (7, register.named().position(|(_, field, _, _)| of(field)).unwrap_or(usize::MAX))
            }
        },
        _ => (8, 0),
    }
}

fn self_type(block: &syn::ItemImpl) -> String {
    match &*block.self_ty {
        Type::Path(path) => last(&path.path),
        other => quote!(#other).to_string(),
    }
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}
