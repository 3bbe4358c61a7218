//! Generates `events.rs` of an IP or a unit: events, sources, and selections of counters.

use super::prelude::*;
use crate::generate::implementation::has_thresholds;

/// Example that counts events.
const EXAMPLE: &str = "crate#how-to";

pub fn emit(ip: &Ip, unit: Option<usize>) -> Vec<String> {
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
    // The code that converts an event uses this import.
    let event_or_cycles = match ip.counters.source.is_none() && ip.counters.cycles {
        true => "use arm_pmu_core::event::EventOrCycles;\n",
        false => "",
    };
    let default = ip.architecture.as_ref().filter(|_| ip.is_generic()).and_then(|of| of.counters);
    let (doc, name, counters) = match default {
        Some(counters) => (
            "Default number of event counters; a program can choose another.",
            "DEFAULT_COUNTERS",
            counters,
        ),
        None => ("Number of event counters.", "COUNTERS", ip.counters.count),
    };
    let mut items = vec![
        inner_doc(texts),
        format!("{event_or_cycles}use arm_pmu_derive::Event;\n"),
        format!("/// {doc}\npub const {name}: usize = {counters};\n"),
    ];
    for group in &groups {
        items.push(events(ip, group, unit));
        items.extend(ip.counters.source.map(|bits| sources(ip, group, unit, bits)));
    }
    match ip.counters.source {
        Some(source) => items.push(source_selection(ip, unit, source)),
        None => items.extend(groups.iter().map(|group| plain_selection(ip, group, unit))),
    }
    items
}

/// Returns the name of the enum for a group's events. If the group belongs to all units and has no sources, each unit
/// has its own enum, which is named after the unit.
pub fn event_type(ip: &Ip, group: &Group, unit: Option<usize>) -> String {
    let shared = group.unit.is_none() && ip.counters.source.is_none();
    let unit = ip.unit(unit).filter(|_| shared);
    names::event_type(unit.map_or(&group.name, |unit| &unit.name))
}

fn code_digits(group: &Group) -> usize {
    let events = group.events.iter().filter(|event| !event.unreported);
    let highest = events.map(|event| event.code).max().unwrap_or(0);
    (highest.checked_ilog(16).unwrap_or(0) as usize + 1).max(2)
}

fn events(ip: &Ip, group: &Group, unit: Option<usize>) -> String {
    let of_group = docs::with_article(&group.title);
    let of_unit = ip.unit(unit).map(|unit| docs::with_article(&unit.title));
    let mut texts = vec![match (of_unit, ip.counters.source) {
        (None, _) => format!("Events of {of_group}."),
        (Some(unit), None) => format!("Events of {unit}."),
        (Some(unit), Some(_)) => format!("Events of {of_group}, in {unit}."),
    }];
    // An event with another source has its own documentation of the source.
    if group.origin.section.is_some() || group.origin.source.is_some() {
        texts.push(docs::origin(&group.origin, &ip.manual));
    }
    texts.push(docs::link_to_example(EXAMPLE));
    let digits = code_digits(group);
    let variants = group.events_of(unit).map(|event| {
        let text = format::comment(&docs::event(event, group, digits, &ip.manual));
        let (variant, code) = (names::type_name(&event.name), event.code);
        format!("{text}{}\n{variant} = 0x{code:0digits$X},\n", attribute(event))
    });
    format!(
        "{}\
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Event)]
#[event(crate = arm_pmu_core, bits = {})]
#[non_exhaustive]
pub enum {} {{
{}}}
",
        doc(texts),
        ip.counters.event.width(),
        event_type(ip, group, unit),
        format::indented(&variants.collect::<String>()),
    )
}

/// Returns the attribute of an event, on one line if it fits.
fn attribute(event: &Event) -> String {
    let mut items = vec![format!("name = {:?}", event.name)];
    if event.unit != Counted::Occurrences {
        items.push(format!("unit = {}", event.unit.word()));
    }
    items.extend(event.evntbus.map(|bit| format!("evntbus = {bit}")));
    items.extend(event.flags.iter().map(|flag| (*flag).to_owned()));
    let line = format!("#[event({})]", items.join(", "));
    match line.len() {
        ..85 => line,
        _ => format!("#[event(\n    {}\n)]", items.join(",\n    ")),
    }
}

/// Returns the selection of a counter: an event id that equals the event's code.
fn plain_selection(ip: &Ip, group: &Group, unit: Option<usize>) -> String {
    let width = ip.counters.id_width();
    let example = group.events_of(unit).next().map_or("", |event| &event.name);
    let threshold = match has_thresholds(ip) {
        true if ip.is_generic() => "; threshold crate::Threshold\n",
        true => "; threshold arm_pmuv3::Threshold\n",
        false => "",
    };
    let call = format!(
        "{}, {:?};\nid of {width} bits, as {}, 0 to \"{:#X}\";\nexample {example:?}\n{threshold}",
        event_type(ip, group, unit),
        path(ip, unit),
        number_type(ip.counters.event),
        (1_u32 << width) - 1,
    );
    let events = event_type(ip, group, unit);
    let conversion = |doc: &str, to: &str, event: &str| {
        format!(
            "{doc}impl From<{events}> for {to} {{
    #[inline]
    fn from(event: {events}) -> Self {{
        Self::{event}
    }}
}}
"
        )
    };
    let mut items =
        vec![format::call("event_selection", &call), conversion("", "Selection", "event(event)")];
    if ip.counters.cycles {
        let doc = "/// For functions that also count cycles, such as [`measure`](arm_pmu_core::measure::measure).\n";
        items.push(conversion(doc, "EventOrCycles<Selection>", "Event(Selection::event(event))"));
    }
    format::spaced(items)
}

/// Returns the selection of a counter: an event id, as a number and as text.
fn source_selection(ip: &Ip, unit: Option<usize>, source: Bits) -> String {
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
            [only] => format!(" by {}", only.name),
            _ => String::new(),
        };
        let _ = writeln!(
            call,
            "{:?} {}({}, {}){only};",
            group.title,
            names::type_name(&group.name),
            names::source_type(&group.name),
            names::event_type(&group.name),
        );
    }
    format::call("source_selection", &call)
}

/// Returns the smallest integer type for a part of an event id, which is also the type of the
/// register field.
fn number_type(bits: Bits) -> &'static str {
    if bits.width() > 8 { "u16" } else { "u8" }
}

/// Returns the PMU of the events as a path: `cci550`, `mmu600::tbu`.
fn path(ip: &Ip, unit: Option<usize>) -> String {
    match ip.unit(unit) {
        Some(unit) => format!("{}::{}", ip.name, unit.name),
        None => ip.name.clone(),
    }
}

/// Returns the enum of a group's sources; `bits` is the source's part of an event id.
fn sources(ip: &Ip, group: &Group, unit: Option<usize>, bits: Bits) -> String {
    let all = match group.sources.len() {
        1 => "The only source of this kind.",
        _ => {
            "All sources of this kind. The configuration of the part determines which sources exist."
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
        let bit = |of: &Source| format!("{} {:?}", of.name, of.evntbus);
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
        let Source { id, name, .. } = source;
        let _ = writeln!(call, "{}{name} = 0x{id:0digits$X};", doc([text]));
    }
    format::call("event_sources", &call)
}
