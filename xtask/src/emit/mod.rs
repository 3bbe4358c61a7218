//! From the model to the text of the generated files.

mod docs;
mod events;
#[cfg(test)]
mod field;
#[cfg(test)]
mod field_tests;
mod format;
#[cfg(test)]
mod made_up_ip;
mod registers;
mod svd;
mod tidy;

pub use svd::spent as spent_in_svd2rust;

use anyhow::Result;
use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Ip;

/// A file to be written, relative to the `src/generated` of the IP's crate.
pub struct Generated {
    pub name: &'static str,
    pub text: String,
}

/// All generated files of an IP.
///
/// Fails only if svd2rust does, which no checked spec makes it do.
pub fn emit(ip: &Ip) -> Result<Vec<Generated>> {
    let spec = |file: &str| format!("specs/{}/{file}", ip.name);
    let both = format!("{} and events.yaml", spec("registers.yaml"));
    Ok(vec![
        Generated { name: "mod.rs", text: format::file(&both, module(ip))? },
        Generated { name: "field.rs", text: format::header("xtask/src/emit/field.rs") + FIELD },
        Generated {
            name: "registers.rs",
            text: format::file(&spec("registers.yaml"), registers::emit(ip)?)?,
        },
        Generated { name: "events.rs", text: format::file(&both, events::emit(ip))? },
    ])
}

/// The support file, the same in every crate: svd2rust puts methods on aliases of its types, so
/// they have to be the crate's own.
const FIELD: &str = include_str!("field.rs");

fn module(ip: &Ip) -> TokenStream {
    let text = inner_doc(&docs::paragraphs([
        format!("What the specs say of the {}, as Rust.", ip.title),
        "`registers` has the typed contents of every register, `events` the events, their sources and \
         the event ids, `field` what all registers share."
            .to_owned(),
    ]));
    quote! {
        #text
        #![allow(missing_debug_implementations, reason = "types that only name a register have no value")]
        #![allow(clippy::must_use_candidate, clippy::new_without_default, clippy::precedence)]

        pub mod events;
        pub mod field;
        pub mod registers;
    }
}

/// Doc comment lines of the item that follows.
fn doc(lines: &[String]) -> TokenStream {
    lines.iter().map(|line| spaced(line)).map(|line| quote!(#[doc = #line])).collect()
}

/// Doc comment lines of the file.
fn inner_doc(lines: &[String]) -> TokenStream {
    lines.iter().map(|line| spaced(line)).map(|line| quote!(#![doc = #line])).collect()
}

fn spaced(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(" {line}") }
}

/// A number as it is written in specs.
fn hex(number: u32, digits: usize) -> syn::LitInt {
    syn::LitInt::new(&format!("0x{number:0digits$X}"), proc_macro2::Span::call_site())
}

/// All 32 bits of a mask, in two halves.
fn mask(mask: u32) -> syn::LitInt {
    let text = format!("0x{:04X}_{:04X}", mask >> 16, mask & 0xFFFF);
    syn::LitInt::new(&text, proc_macro2::Span::call_site())
}

/// A number in decimal, without a type.
fn decimal(number: u32) -> proc_macro2::Literal {
    proc_macro2::Literal::u32_unsuffixed(number)
}
