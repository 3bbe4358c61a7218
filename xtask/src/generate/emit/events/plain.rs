//! `Selection` of an IP whose events have no sources.

use proc_macro2::TokenStream;

use super::super::format;
use super::{event_type, selection};
use crate::generate::model::{Group, Ip};

/// What one counter counts: an event id, which is the code of an event.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>) -> TokenStream {
    let width = ip.counters.id_width();
    let example = group.events_of(unit).next().map_or("", |event| &event.name);
    let cycles = if ip.counters.cycles { "; cycles" } else { "" };
    let call = format!(
        "{}, {:?};\nid of {width} bits, as {}, 0 to \"{:#X}\";\nexample {example:?}{cycles}\n",
        event_type(ip, group, unit),
        selection::path(ip, unit),
        selection::number_type(ip.counters.event),
        (1_u32 << width) - 1,
    );
    format::call("event_selection", &call)
}
