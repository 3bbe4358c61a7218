//! Sources of events.

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use super::super::{docs, format};
use crate::generate::model::{Bits, Group, Ip, Source};
use crate::generate::names;

/// Returns the enum of a group's sources; `bits` is the source's part of an event id.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>, bits: Bits) -> TokenStream {
    let all = match group.sources.len() {
        1 => "The only source of this kind.",
        _ => {
            "All sources of this kind. Which of them exist depends on the configuration of the part."
        }
    };
    let mut call = format!(
        "/// A {}, as a source of events.\npub enum {}: {} << {}, id << {};\n{all:?} {}",
        group.title,
        names::source_type(&group.name),
        names::event_type(&group.name),
        ip.counters.event.low,
        bits.low,
        group.sources.len(),
    );
    if ip.evntbus_of(unit) {
        let bit = |of: &Source| format!("{} {:?}", names::source_variant(&of.name), of.evntbus);
        let bits: Vec<_> = group.sources.iter().map(bit).collect();
        let _ = write!(call, ",\nevntbus {}", bits.join(", "));
    }
    call += ";\n";
    let digits = bits.width().div_ceil(4) as usize;
    for source in &group.sources {
        let text = match source.evntbus {
            Some(bit) => format!("{}: EVNTBUS from bit {bit}.", source.title),
            None => format!("{}.", source.title),
        };
        let (text, variant) =
            (format::comment(&docs::paragraph(&text)), names::source_variant(&source.name));
        let _ = writeln!(call, "{text}{variant} = 0x{:0digits$X};", source.id);
    }
    format::call("event_sources", &call)
}
