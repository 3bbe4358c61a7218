//! Converts the model to generated files.

pub mod architecture;
pub mod common;
pub mod docs;
mod events;
pub mod facade;
mod findings;
mod format;
pub mod kinds;
mod layout;
mod macros;
mod metrics;
pub mod platform_constants;
pub mod platforms;
pub mod pmcg;
mod pmu;
pub mod products;
mod registers;
mod space;
mod svd;
pub mod tables;
mod tidy;

pub use macros::Macros;

use anyhow::{Context, Result};
use proc_macro2::TokenStream;
use quote::quote;

use crate::generate::files::Generated;
use crate::generate::implementation;
use crate::generate::model::{Architecture, Ip, Space};
use crate::generate::names::{self, ident};
use crate::generate::spec;

/// Names that most files use.
mod prelude {
    pub use std::fmt::Write as _;

    pub use proc_macro2::TokenStream;
    pub use quote::quote;

    pub(super) use super::{decimal, doc, docs, format, hex, inner_doc};
    pub use crate::generate::files::Generated;
    pub use crate::generate::model::*;
    pub use crate::generate::names::{self, ident};
}

/// Returns the schemas of the spec language, relative to `specs/schema`.
pub fn schemas() -> Result<Vec<Generated>> {
    let language = spec::FILES.iter().map(|(name, schema)| (*name, schema()));
    let file = |(name, schema): (&str, serde_json::Value)| {
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        Ok(Generated { name: format!("{name}.json"), text })
    };
    language.map(file).collect()
}

/// Returns all generated files of an IP. The files call the macros of its architecture.
///
/// Fails only if svd2rust fails, which does not happen with a checked spec.
pub fn emit(ip: &Ip, macros: Option<&Macros>) -> Result<Vec<Generated>> {
    let shared = macros.map(|macros| macros.metrics(ip)).unwrap_or_default();
    let spec = |file: &str| format!("specs/{}/{file}", ip.name);
    let (registers, both) =
        (spec("registers.yaml"), format!("{} and events.yaml", spec("registers.yaml")));
    let file = |name: &str, from: &str, items: Result<syn::File>| -> Result<Generated> {
        let items = items.with_context(|| format!("made no Rust from {from}"))?;
        Ok(Generated { name: name.to_owned(), text: format::file(from, &items) })
    };
    let mut files = vec![file("mod.rs", &both, parsed(module(ip)))?];
    files.extend(pmu::emit(ip));
    files.extend(pmcg::emit(ip));
    files.extend(implementation::identity(ip)?);
    if ip.architecture.is_none() {
        files.push(file("field.rs", &registers, parsed(field(ip)))?);
        files.push(file("space.rs", &registers, parsed(space::emit(ip)))?);
    }
    if ip.architecture.is_none() && (ip.units.is_empty() || !ip.registers_differ()) {
        files.push(file("registers.rs", &registers, registers::emit(ip, None))?);
    }
    let of_metrics = format!("{} and events.yaml", spec("metrics.yaml"));
    if ip.units.is_empty() {
        files.push(file("events.rs", &both, parsed(events::emit(ip, None)))?);
        if let Some(items) = metrics::emit(ip, None, &shared) {
            files.push(file("metrics.rs", &of_metrics, parsed(items))?);
        }
    }
    let findings = match &ip.architecture {
        Some(of) if !ip.is_generic() => {
            format!("specs/{}/findings.yaml and specs/{}", of.name, ip.name)
        }
        _ => spec("findings.yaml") + " and specs/findings.yaml",
    };
    if has_findings(ip, None) {
        let call = macros.and_then(|macros| macros.findings(ip));
        let items = parsed(findings::emit(ip, None, call.as_deref()));
        files.push(file("findings.rs", &findings, items)?);
    }
    for (number, unit) in ip.units.iter().enumerate() {
        let directory = names::unit_module(&unit.name);
        if has_findings(ip, Some(number)) {
            let items = parsed(findings::emit(ip, Some(number), None));
            files.push(file(&format!("{directory}/findings.rs"), &findings, items)?);
        }
        if ip.registers_differ() {
            let items = registers::emit(ip, Some(number));
            files.push(file(&format!("{directory}/registers.rs"), &registers, items)?);
        }
        let items = parsed(events::emit(ip, Some(number)));
        files.push(file(&format!("{directory}/events.rs"), &both, items)?);
        if let Some(items) = metrics::emit(ip, Some(number), &shared) {
            files.push(file(&format!("{directory}/metrics.rs"), &of_metrics, parsed(items))?);
        }
    }
    Ok(files)
}

/// Returns all generated files of an architecture.
///
/// The files include a driver for every core if `generic`, the architecture for every core, is
/// given.
///
/// Fails only if svd2rust fails, which does not happen with a checked spec.
pub fn architecture(
    architecture: &Architecture,
    ips: &[&Ip],
    generic: Option<&Ip>,
    macros: &Macros,
) -> Result<Vec<Generated>> {
    let from = format!("specs/{}/registers.yaml", architecture.name);
    let file = |name: &str, items: Result<syn::File>| -> Result<Generated> {
        let items = items.with_context(|| format!("made no Rust from {from}"))?;
        Ok(Generated { name: name.to_owned(), text: format::file(&from, &items) })
    };
    let common = architecture::common(architecture, ips, generic);
    let mut files = vec![
        file("mod.rs", parsed(architecture::module(architecture, ips, generic)))?,
        file("field.rs", parsed(field(&common.ip)))?,
        file("space.rs", parsed(space::emit(&common.ip)))?,
        file("registers.rs", registers::common(&common, ips))?,
        pmu::of_implementations(architecture, ips, &macros.definitions()),
    ];
    for ip in ips {
        let name = format!("{}/registers.rs", names::of_ip(&ip.name).module);
        files.push(file(&name, registers::of_implementation(&common, ip))?);
    }
    if let Some(generic) = generic {
        let of_driver =
            emit(generic, Some(macros))?.into_iter().filter(|file| file.name != "mod.rs");
        files.extend(of_driver);
    }
    Ok(files)
}

/// Returns the support file: the crate must own its types, because field methods are inherent.
fn field(ip: &Ip) -> TokenStream {
    let word = word(&ip.space);
    // Units with different registers each have a module of registers.
    let unit = ip.units.first().filter(|_| ip.architecture.is_none() && ip.registers_differ());
    let registers = match unit {
        Some(unit) => format!("crate::{}::registers", names::unit_module(&unit.name)),
        None => "crate::registers".to_owned(),
    };
    let mut text = docs::paragraphs([
        "Support code of all registers: typed values to read, to write, and the access to a device."
            .to_owned(),
        "A type names each register (`PmcrSpec`); there is no value of it. [`R`] is a value that was \
         read, [`W`] a value to write. The methods for their fields are generated beside each \
         register. Neither needs a device: see [`R::from_bits`] and [`W::encode`]."
            .to_owned(),
    ]);
    text.extend([String::new(), docs::link_to_example(&registers)]);
    let text = inner_doc(&text);
    quote! {
        #text
        arm_pmu_core::register_support!(#word);
    }
}

fn has_metrics(ip: &Ip) -> bool {
    !ip.metrics.is_empty() || !ip.not_computable.is_empty()
}

/// Returns whether there is a file of findings, for the IP or for each unit if they differ.
fn has_findings(ip: &Ip, unit: Option<usize>) -> bool {
    !ip.findings.is_empty() && unit.is_some() == ip.findings_differ()
}

fn parsed(tokens: TokenStream) -> Result<syn::File> {
    Ok(syn::parse2(tokens)?)
}

fn module(ip: &Ip) -> TokenStream {
    let text = inner_doc(&docs::paragraphs([format!("The specs of the {}, as Rust.", ip.title)]));
    let has_metrics =
        |unit| ip.metrics_of(unit).next().is_some() || ip.not_computable_of(unit).next().is_some();
    let (own, is_group) = (ip.architecture.is_none(), pmcg::is_group(ip));
    let of_ip = modules(&[
        ("events", ip.units.is_empty()),
        ("field", own),
        ("findings", has_findings(ip, None)),
        ("identity", !own),
        ("metrics", ip.units.is_empty() && has_metrics(None)),
        ("pmcg", is_group),
        ("pmu", !own || is_group),
        ("registers", own && (ip.units.is_empty() || !ip.registers_differ())),
        ("running", ip.driver.is_some()),
    ]);
    let filter = implementation::has_filter_file(ip).then(|| {
        quote!(
            mod filter;
        )
    });
    let space = own.then(|| {
        quote!(
            mod space;
        )
    });
    let stopped = (own && ip.driver.is_some() && !is_group).then(|| {
        quote!(
            mod stopped;
        )
    });
    let units = ip.units.iter().enumerate().map(|(number, unit)| {
        let (name, text) =
            (ident(&names::unit_module(&unit.name)), doc(&[format!("{}.", unit.title)]));
        let of_unit = modules(&[
            ("events", true),
            ("findings", has_findings(ip, Some(number))),
            ("metrics", has_metrics(Some(number))),
            ("pmu", is_group),
            ("registers", ip.registers_differ()),
        ]);
        quote! {
            #text
            pub mod #name {
                #of_unit
            }
        }
    });
    quote! {
        #text
        #![allow(missing_debug_implementations, reason = "types that only name a register have no value")]
        #![allow(clippy::must_use_candidate, clippy::new_without_default, clippy::precedence)]

        #of_ip
        #filter
        #space
        #stopped
        #(#units)*
    }
}

fn modules(all: &[(&str, bool)]) -> TokenStream {
    let names = all.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| ident(name));
    quote!(#(pub mod #names;)*)
}

/// Returns the doc comment lines of the next item.
fn doc(lines: &[String]) -> TokenStream {
    lines.iter().map(|line| spaced(line)).map(|line| quote!(#[doc = #line])).collect()
}

fn inner_doc(lines: &[String]) -> TokenStream {
    lines.iter().map(|line| spaced(line)).map(|line| quote!(#![doc = #line])).collect()
}

fn spaced(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(" {line}") }
}

/// Returns a number in the notation of the specs.
fn hex(number: u32, digits: usize) -> syn::LitInt {
    syn::LitInt::new(&format!("0x{number:0digits$X}"), proc_macro2::Span::call_site())
}

/// Returns all bits of a mask of one access, in parts of four digits.
fn mask(space: &Space, mask: u64) -> syn::LitInt {
    let parts =
        (0..bits(space) / 16).rev().map(|part| format!("{:04X}", mask >> (16 * part) & 0xFFFF));
    let text = format!("0x{}", parts.collect::<Vec<_>>().join("_"));
    syn::LitInt::new(&text, proc_macro2::Span::call_site())
}

/// Returns the number of bits of one access: 64 for system registers, 32 in memory and in CP15.
fn bits(space: &Space) -> u32 {
    match space {
        Space::System => 64,
        Space::Region { .. } | Space::Pages(_) | Space::Cp15 => 32,
    }
}

/// Returns the value type of one access.
fn word(space: &Space) -> syn::Ident {
    ident(&format!("u{}", bits(space)))
}

fn decimal(number: u32) -> proc_macro2::Literal {
    proc_macro2::Literal::u32_unsuffixed(number)
}
