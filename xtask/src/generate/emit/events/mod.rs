//! Generates `events.rs` of an IP or a unit: events, sources, and selections of counters.

mod plain;
mod selection;
mod sources;

use proc_macro2::TokenStream;
use quote::quote;

use super::{decimal, doc, docs, hex, inner_doc};
use crate::generate::model::{Event, Group, Ip, Unit};
use crate::generate::names::{self, ident};

/// Example that counts events.
const EXAMPLE: &str = "crate#how-to";

/// Returns the items of the file.
pub fn emit(ip: &Ip, unit: Option<usize>) -> TokenStream {
    let title = ip.title_of(unit);
    let groups: Vec<_> = ip.groups_of(unit).collect();
    let mut texts = vec![format!("Events that the counters of the {title} can count.")];
    texts.extend(groups.iter().map(|group| {
        let (name, count) = (event_type(ip, group, unit), group.events_of(unit).count());
        match ip.counters.source {
            Some(_) => format!("[`{name}`]: {count} events of a {}.", group.title),
            None => format!("[`{name}`]: {count} events."),
        }
    }));
    texts.push(format!("{}, {}.", ip.manual.title, ip.manual.id));
    texts.push(docs::link_to_example(EXAMPLE));
    let text = inner_doc(&docs::paragraphs(texts));
    let items = groups.iter().map(|group| {
        let events = events(ip, group, unit);
        let sources = ip.counters.source.map(|bits| sources::emit(ip, group, unit, bits));
        quote!(#events #sources)
    });
    let selection = match ip.counters.source {
        Some(source) => selection::emit(ip, unit, source),
        None => groups.iter().map(|group| plain::emit(ip, group, unit)).collect(),
    };
    let default = ip.architecture.as_ref().filter(|_| ip.is_generic()).and_then(|of| of.counters);
    let counters = match default {
        Some(counters) => {
            let counters = decimal(counters);
            quote! {
                /// Default number of event counters; a program can choose another.
                pub const DEFAULT_COUNTERS: usize = #counters;
            }
        }
        None => {
            let count = decimal(ip.counters.count);
            quote! {
                /// Number of event counters.
                pub const COUNTERS: usize = #count;
            }
        }
    };
    // Used to convert an event.
    let event_or_cycles = (ip.counters.source.is_none() && ip.counters.cycles).then(|| {
        quote!(
            use arm_pmu_core::event::EventOrCycles;
        )
    });
    quote! {
        #text

        #event_or_cycles
        use arm_pmu_derive::Event;

        #counters

        #(#items)*
        #selection
    }
}

/// Returns the enum name of a group's events; named after the unit if all units share the only group.
pub fn event_type(ip: &Ip, group: &Group, unit: Option<usize>) -> String {
    let shared = group.unit.is_none() && ip.counters.source.is_none();
    let unit = ip.unit(unit).filter(|_| shared);
    names::event_type(unit.map_or(&group.name, |unit| &unit.name))
}

/// Returns the number of hexadecimal digits in the codes of a group.
fn code_digits(group: &Group) -> usize {
    let events = group.events.iter().filter(|event| !event.unreported);
    let highest = events.map(|event| event.code).max().unwrap_or(0);
    (highest.checked_ilog(16).unwrap_or(0) as usize + 1).max(2)
}

/// Returns the enum of a group's events.
fn events(ip: &Ip, group: &Group, unit: Option<usize>) -> TokenStream {
    let name = ident(&event_type(ip, group, unit));
    let unit_title = ip.unit(unit).map(|unit| &unit.title);
    let texts = match (unit_title, ip.counters.source) {
        (None, _) => format!("Events of {}.", docs::with_article(&group.title)),
        (Some(unit), None) => format!("Events of {}.", docs::with_article(unit)),
        (Some(unit), Some(_)) => format!(
            "Events of {}, in {}.",
            docs::with_article(&group.title),
            docs::with_article(unit)
        ),
    };
    let mut texts = vec![texts];
    // An event with another source has its own documentation of the source.
    if group.origin.section.is_some() || group.origin.source.is_some() {
        texts.push(docs::origin(&group.origin, &ip.manual));
    }
    texts.push(docs::link_to_example(EXAMPLE));
    let text = doc(&docs::paragraphs(texts));
    let bits = decimal(ip.counters.event.width());
    let digits = code_digits(group);
    let variants = group.events_of(unit).map(|event| {
        let text = doc(&docs::event(event, group, digits, &ip.manual));
        let data = attributes(event);
        let (variant, code) = (ident(&names::event_variant(&event.name)), hex(event.code, digits));
        quote! {
            #text
            #[event(#data)]
            #variant = #code,
        }
    });
    quote! {
        #text
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Event)]
        #[event(crate = arm_pmu_core, bits = #bits)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
        }
    }
}

fn attributes(event: &Event) -> TokenStream {
    let name = &event.name;
    let unit = (event.unit != Unit::Occurrences).then(|| {
        let unit = ident(event.unit.word());
        quote!(, unit = #unit)
    });
    let evntbus = event.evntbus.map(|bit| {
        let bit = decimal(bit);
        quote!(, evntbus = #bit)
    });
    let flags = event.flags.iter().map(|flag| ident(flag));
    quote!(name = #name #unit #evntbus #(, #flags)*)
}
