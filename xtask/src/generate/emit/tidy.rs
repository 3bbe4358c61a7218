//! Makes the code of svd2rust that of this family: our support types, our texts, an order to read.

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{ImplItem, Item, Type};

use crate::generate::model::{Access, Bits, Named as Field, Register};
use crate::generate::names;

/// The items of a register's module, from what svd2rust rendered.
///
/// The struct that names the register and its traits come first, then reading, then writing, then
/// the names of the field types; fields in the order of the manual, high bit first.
pub fn tidy(rendered: TokenStream, register: &Register) -> Result<Vec<Item>> {
    let register = &Named::new(register);
    let mut file: syn::File = syn::parse2(rendered).context("svd2rust gave no Rust")?;
    Paths.visit_file_mut(&mut file);
    let mut items = Vec::new();
    for item in file.items {
        if let Some(item) = rework(item, register)? {
            items.push(item);
        }
    }
    items.sort_by_cached_key(|item| rank(item, register));
    Ok(items)
}

/// A register, and how svd2rust names what belongs to its fields.
struct Named<'m> {
    name: &'m str,
    /// One for each named field, in the order of the manual.
    fields: Vec<NamedField<'m>>,
}

struct NamedField<'m> {
    bits: Bits,
    field: &'m Field,
    accessor: String,
    reader: String,
    writer: String,
}

impl<'m> Named<'m> {
    fn new(register: &'m Register) -> Self {
        let fields = register.named().map(|(bits, field)| NamedField {
            bits,
            field,
            accessor: names::field_accessor(&field.name),
            reader: names::field_reader(&field.name),
            writer: names::field_writer(&field.name),
        });
        Self { name: &register.name, fields: fields.collect() }
    }

    /// Which field a method gives.
    fn accessed_by(&self, method: &syn::Ident) -> Option<usize> {
        self.fields.iter().position(|field| method == &field.accessor)
    }

    /// Which field a type reads or writes.
    fn of_type(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| name == field.reader || name == field.writer)
    }
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
fn rework(mut item: Item, register: &Named<'_>) -> Result<Option<Item>> {
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
            &format!("Stands for {} in types; there is no value of it.", register.name),
        ),
        Item::Impl(block) => {
            block.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
            match &block.trait_ {
                None => methods(block, register)?,
                Some((path, _)) => match last(path).as_str() {
                    "Debug" => {}
                    // Ours is generated beside it.
                    "RegisterSpec" => return Ok(None),
                    "Readable" => {}
                    // INITIAL and KEEP of `RegisterSpec` say more than its constants.
                    "Writable" => block.items.clear(),
                    other => bail!("svd2rust implements {other} for {}", register.name),
                },
            }
        }
        _ => bail!("svd2rust gave an item of an unknown kind for {}", register.name),
    }
    Ok(Some(item))
}

fn alias_text(name: &str, register: &Named<'_>) -> Result<String> {
    let Some(field) = register.of_type(name).map(|nth| &register.fields[nth]) else {
        bail!("svd2rust names {name}, which is no field of {}", register.name)
    };
    let verb = if name == field.reader { "as it was read" } else { "to be written" };
    Ok(format!("{}, {verb}.", field.field.name))
}

/// The methods that give the fields, documented, high bit first.
fn methods(block: &mut syn::ItemImpl, register: &Named<'_>) -> Result<()> {
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else {
            bail!("svd2rust gave no method for {}", register.name)
        };
        let Some(nth) = register.accessed_by(&method.sig.ident) else {
            bail!("svd2rust names {}, which is no field of {}", method.sig.ident, register.name)
        };
        let NamedField { bits, field, .. } = &register.fields[nth];
        let noun = if bits.width() == 1 { "Bit" } else { "Bits" };
        let acts = match field.access {
            Access::WriteOneActs | Access::WriteOneClears | Access::WriteOneSets => {
                format!(" ({})", super::docs::field_access(field))
            }
            _ => String::new(),
        };
        let (name, limit) = (&field.name, super::docs::limit(field));
        let doc = super::docs::plain(&field.doc);
        redocument(&mut method.attrs, &format!("{noun} {bits}, {name}{acts}. {doc}{limit}"));
        for alias in &field.aliases {
            method.attrs.push(syn::parse_quote!(#[doc(alias = #alias)]));
        }
    }
    block.items.sort_by_cached_key(|item| match item {
        ImplItem::Fn(method) => register.accessed_by(&method.sig.ident),
        _ => None,
    });
    Ok(())
}

fn redocument(attributes: &mut Vec<syn::Attribute>, text: &str) {
    attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    let lines = super::docs::paragraph(text).into_iter().map(|line| {
        let line = format!(" {line}");
        let documented: syn::Attribute = syn::parse_quote!(#[doc = #line]);
        documented
    });
    attributes.splice(0..0, lines);
}

fn rank(item: &Item, register: &Named<'_>) -> (usize, usize) {
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
            name => (7, register.of_type(name).unwrap_or(usize::MAX)),
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
