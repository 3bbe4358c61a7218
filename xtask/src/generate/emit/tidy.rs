//! Adapts the code of svd2rust: support types, texts, and the order of items.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{ImplItem, Item, ItemType, PathArguments, Type};

use super::prelude::*;

/// Code that svd2rust generates for a register, except the items that the macro `register!` of
/// `arm-pmu-core` defines.
pub struct Tidied {
    /// The methods of `R`, then the methods of `W`, then named values.
    pub items: Vec<Item>,
    /// Fields that `Debug` shows. If this is empty, `items` contains the implementation of `Debug`.
    pub shown: Vec<String>,
}

/// Returns the items of a register's module from the output of svd2rust.
///
/// Read methods come before write methods; fields are in the order of the manual, high bit first. `meanings` has the
/// meaning of each field. A meaning is written only once: at the read method or, if the field is write-only, at the
/// write method.
pub fn tidy(rendered: TokenStream, register: &Register, meanings: &[String]) -> Result<Tidied> {
    let fields = register.named().zip(meanings).map(|((bits, field), meaning)| NamedField {
        bits,
        field,
        meaning,
        accessor: names::field_accessor(&field.name),
    });
    let fields: Vec<_> = fields.collect();
    let mut file: syn::File = syn::parse2(rendered).context("svd2rust gave no Rust")?;
    Paths.visit_file_mut(&mut file);
    Inline::new(&file).visit_file_mut(&mut file);
    let mut items = Vec::new();
    for item in file.items.into_iter().filter(|item| !is_of_a_field(item)) {
        let item = rework(item, &fields);
        items.extend(item.with_context(|| format!("unexpected code for {}", register.name))?);
    }
    items.sort_by_cached_key(rank);
    let shown = fields.iter().filter(|of| docs::reads_a_value(of.field));
    let shown = shown.map(|of| of.accessor.clone()).collect();
    Ok(Tidied { items, shown })
}

/// A named field, with the name of svd2rust's methods for it.
struct NamedField<'m> {
    bits: Bits,
    field: &'m Named,
    meaning: &'m str,
    accessor: String,
}

fn accessed_by(method: &syn::Ident, fields: &[NamedField<'_>]) -> Option<usize> {
    fields.iter().position(|field| method == &field.accessor)
}

/// Replaces `crate::X` by `field::X`.
struct Paths;

impl VisitMut for Paths {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.segments.len() > 1 && path.segments[0].ident == "crate" {
            path.segments[0].ident = names::ident("field");
        }
        visit_mut::visit_path_mut(self, path);
    }
}

/// Returns whether an item is an alias of a field's type.
fn is_of_a_field(item: &Item) -> bool {
    matches!(item, Item::Type(alias) if alias.ident != "R" && alias.ident != "W")
}

/// Replaces aliases of field types by these types.
struct Inline {
    aliases: HashMap<String, ItemType>,
}

impl Inline {
    fn new(file: &syn::File) -> Self {
        let of_fields = file.items.iter().filter(|item| is_of_a_field(item));
        let aliases = of_fields.filter_map(|item| match item {
            Item::Type(alias) => Some((alias.ident.to_string(), alias.clone())),
            _ => None,
        });
        Self { aliases: aliases.collect() }
    }

    fn of(&self, path: &syn::Path) -> Option<&ItemType> {
        self.aliases.get(&path.segments.first()?.ident.to_string())
    }
}

impl VisitMut for Inline {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let Type::Path(named) = &*ty else { return visit_mut::visit_type_mut(self, ty) };
        let Some(alias) = self.of(&named.path) else { return visit_mut::visit_type_mut(self, ty) };
        let mut own = (*alias.ty).clone();
        if let (Some(PathArguments::AngleBracketed(given)), Type::Path(path)) =
            (named.path.segments.last().map(|segment| &segment.arguments), &mut own)
            && let Some(PathArguments::AngleBracketed(arguments)) =
                path.path.segments.last_mut().map(|segment| &mut segment.arguments)
        {
            // The first arguments are the parameters of the alias.
            let others = arguments.args.iter().skip(given.args.len());
            let mut all: Vec<_> = given.args.iter().chain(others).cloned().collect();
            for default in ["field::Safe", "u8"] {
                all.pop_if(|last| quote!(#last).to_string().replace(' ', "") == default);
            }
            arguments.args = all.into_iter().collect();
        }
        *ty = own;
    }

    /// Also replaces the alias in the path of a function, such as `DpR::new`.
    fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
        if expression.path.segments.len() == 2
            && let Some(alias) = self.of(&expression.path)
            && let Type::Path(own) = &*alias.ty
        {
            let mut path = own.path.clone();
            // The compiler infers the generic arguments of the return type.
            path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
            path.segments.extend(expression.path.segments.last().cloned());
            expression.path = path;
        }
    }
}

/// Returns one item with texts from the spec; `None` if another part of the generator emits the
/// item.
fn rework(mut item: Item, fields: &[NamedField<'_>]) -> Result<Option<Item>> {
    match &mut item {
        // `register!` defines these types.
        Item::Type(_) | Item::Struct(_) => return Ok(None),
        Item::Enum(of_values) => values(of_values, fields)?,
        Item::Impl(block) => {
            block.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
            match &block.trait_ {
                None if is_of_register(block) => methods(block, fields)?,
                None => methods_of_values(block)?,
                Some((path, _)) => match last(path).as_str() {
                    // `register!` implements `Debug` from the names of the fields.
                    "Debug" if fields.iter().any(|of| docs::reads_a_value(of.field)) => {
                        return Ok(None);
                    }
                    "Debug" | "From" | "FieldSpec" => {}
                    // `IsEnum` is only a marker, which nothing here uses.
                    "IsEnum" => return Ok(None),
                    // `register!` implements them.
                    "RegisterSpec" | "Readable" | "Writable" => return Ok(None),
                    other => bail!("svd2rust implements {other}"),
                },
            }
        }
        _ => bail!("svd2rust gave an item of an unknown kind"),
    }
    Ok(Some(item))
}

fn values(of_values: &mut syn::ItemEnum, fields: &[NamedField<'_>]) -> Result<()> {
    let of_field = |of: &&NamedField<'_>| of_values.ident == names::field_values(&of.field.name);
    let Some(NamedField { bits, field, .. }) = fields.iter().find(of_field) else {
        bail!("svd2rust names {}, which is no field", of_values.ident)
    };
    let all = 1 << bits.width() == field.values.len();
    let text = if all {
        format!("The values of {}.", field.name)
    } else {
        format!("Values of {} that have a name. There can be others.", field.name)
    };
    redocument(&mut of_values.attrs, &text);
    for (variant, value) in of_values.variants.iter_mut().zip(&field.values) {
        redocument(&mut variant.attrs, &format!("{}: {}", value.value, value.doc));
    }
    Ok(())
}

/// Documents the methods for named values, of the reader or the writer of a field.
fn methods_of_values(block: &mut syn::ItemImpl) -> Result<()> {
    // Every writable register meets this bound.
    block.generics.where_clause = None;
    for parameter in block.generics.type_params_mut() {
        parameter.bounds = syn::parse_quote!(field::Writable);
    }
    let is_partial = block.items.iter().any(|item| match item {
        ImplItem::Fn(method) => returned(method) == "Option",
        _ => false,
    });
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { bail!("svd2rust gave no method") };
        let text = match value_in(method) {
            Some(value) if returned(method) == "bool" => {
                // `==` from svd2rust is not `const`.
                let path: syn::Path = syn::parse_str(&value)?;
                let value_of = if is_partial { quote!(Some(#path)) } else { quote!(#path) };
                method.block = syn::parse_quote!({ matches!(self.variant(), #value_of) });
                method.sig.constness = Some(Default::default());
                format!("Whether it is [`{value}`].")
            }
            Some(value) => format!("Writes [`{value}`]."),
            None if returned(method) == "Option" => {
                "Returns the value, if it has a name.".to_owned()
            }
            None => "Returns the value.".to_owned(),
        };
        redocument(&mut method.attrs, &text);
    }
    Ok(())
}

/// Returns the named value that the body of a method uses, such as `Ccd::Every64th`; `None` unless
/// it uses exactly one.
fn value_in(method: &syn::ImplItemFn) -> Option<String> {
    struct Found(Vec<String>);
    impl VisitMut for Found {
        fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
            if path.path.segments.len() == 2 {
                self.0.push(quote!(#path).to_string().replace(' ', ""));
            }
        }
    }
    let mut found = Found(Vec::new());
    found.visit_block_mut(&mut method.block.clone());
    <[String; 1]>::try_from(found.0).ok().map(|[value]| value)
}

/// Returns the name of a method's return type.
fn returned(method: &syn::ImplItemFn) -> String {
    match &method.sig.output {
        syn::ReturnType::Type(_, ty) => name_of(ty),
        syn::ReturnType::Default => String::new(),
    }
}

/// Documents the methods that return fields, and sorts them with the high bit first.
fn methods(block: &mut syn::ItemImpl, fields: &[NamedField<'_>]) -> Result<()> {
    let writes = self_type(block) == "W";
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { bail!("svd2rust gave no method") };
        let Some(nth) = accessed_by(&method.sig.ident, fields) else {
            bail!("svd2rust names {}, which is no field", method.sig.ident)
        };
        let NamedField { bits, field, meaning, accessor } = &fields[nth];
        let noun = if bits.width() == 1 { "Bit" } else { "Bits" };
        let acts = match field.access {
            Access::WriteOneActs | Access::WriteOneClears | Access::WriteOneSets => {
                format!(" ({})", docs::field_access(field))
            }
            _ => String::new(),
        };
        let name = format!("{noun} {bits}, {}{acts}", field.name);
        let text = if writes && docs::reads_a_value(field) {
            format!("{name}: see [`R::{accessor}`]({}).", docs::method_of("R", accessor))
        } else {
            format!("{name}. {meaning}")
        };
        redocument(&mut method.attrs, &text);
        if !writes {
            method.sig.constness = Some(Default::default());
        }
        for alias in &field.aliases {
            method.attrs.push(syn::parse_quote!(#[doc(alias = #alias)]));
        }
    }
    block.items.sort_by_cached_key(|item| match item {
        ImplItem::Fn(method) => accessed_by(&method.sig.ident, fields),
        _ => None,
    });
    Ok(())
}

fn redocument(attributes: &mut Vec<syn::Attribute>, text: &str) {
    attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    let lines = docs::paragraph(text).into_iter().map(|line| {
        let line = format!(" {line}");
        let documented: syn::Attribute = syn::parse_quote!(#[doc = #line]);
        documented
    });
    attributes.splice(0..0, lines);
}

fn rank(item: &Item) -> usize {
    match item {
        Item::Impl(block) => match (&block.trait_, self_type(block).as_str()) {
            (None, "R") => 0,
            (Some((path, _)), _) if last(path) == "Debug" => 1,
            (None, "W") => 2,
            _ => 3,
        },
        _ => 3,
    }
}

/// Returns whether the methods belong to the register and not to one field.
fn is_of_register(block: &syn::ItemImpl) -> bool {
    ["R", "W"].contains(&&*self_type(block))
}

fn self_type(block: &syn::ItemImpl) -> String {
    name_of(&block.self_ty)
}

fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => last(&path.path),
        other => quote!(#other).to_string(),
    }
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}
