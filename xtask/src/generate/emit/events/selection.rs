//! Generates the `Selection` of an IP whose events have sources.

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use super::super::format;
use crate::generate::model::{Bits, Ip};
use crate::generate::names;

/// Returns the selection of a counter: an event id, as a number and as text.
pub fn emit(ip: &Ip, unit: Option<usize>, source: Bits) -> TokenStream {
    let part = |bits: Bits| {
        let (low, mask) = (bits.low, (1_u32 << bits.width()) - 1);
        format!("{low} & 0x{mask:X} as {}, 0 to \"{mask:#X}\"", number_type(bits))
            .replace("\"0X", "\"0x")
    };
    let first = ip.groups_of(unit).next();
    let first_source = first.and_then(|group| group.sources.first()).map_or("", |of| &of.name);
    let first_event =
        first.and_then(|group| group.events_of(unit).next()).map_or("", |of| &of.name);
    let mut call = format!(
        "{:?};\nid of {} bits;\ncode >> {};\nsource >> {};\nexample {first_source:?} {first_event:?};\n",
        path(ip, unit),
        ip.counters.id_width(),
        part(ip.counters.event),
        part(source),
    );
    if ip.evntbus_of(unit) {
        call += "evntbus;\n";
    }
    for group in ip.groups_of(unit) {
        let only = match &group.sources[..] {
            [only] => format!(" by {}", names::source_variant(&only.name)),
            _ => String::new(),
        };
        let _ = writeln!(
            call,
            "{:?} {}({}, {}){only};",
            group.title,
            names::group_variant(&group.name),
            names::source_type(&group.name),
            names::event_type(&group.name),
        );
    }
    format::call("source_selection", &call)
}

/// Returns the smallest type for a part of an event id, the type of the register field.
pub fn number_type(bits: Bits) -> &'static str {
    if bits.width() > 8 { "u16" } else { "u8" }
}

/// Returns the PMU of the events as a path: `cci550`, `mmu600::tbu`.
pub fn path(ip: &Ip, unit: Option<usize>) -> String {
    match ip.unit(unit) {
        Some(unit) => format!("{}::{}", ip.name, unit.name),
        None => ip.name.clone(),
    }
}
