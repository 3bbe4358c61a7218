//! An event as text: what adds to a counter, and the number to program for each source.

use super::find::OfGroup;
use super::{paragraph, source};
use crate::generate::emit::docs;
use crate::generate::model::Ip;
use crate::generate::names;

/// The ids of an event with their sources; one without a source where events have none.
pub fn ids<'m>(ip: &Ip, of: &OfGroup<'m>) -> impl Iterator<Item = (Option<&'m str>, u32)> {
    let OfGroup { group, event, source: only } = *of;
    let code = event.code << ip.counters.event.low;
    let shift = ip.counters.source.map(|bits| bits.low);
    let plain = shift.is_none().then_some((None, code));
    let sources = group.sources.iter().enumerate();
    let sources = sources.filter(move |(index, _)| only.is_none_or(|only| only == *index));
    plain.into_iter().chain(
        sources
            .filter_map(move |(_, source)| Some((Some(&*source.name), source.id << shift? | code))),
    )
}

pub fn text(ip: &Ip, of: &OfGroup<'_>) -> String {
    let OfGroup { group, event, .. } = *of;
    let mut text = format!(
        "{}: an event of {}\n{}, {}\n\n",
        event.name,
        docs::with_article(&group.title),
        ip.title,
        ip.manual.id
    );
    let units: Vec<_> = ip.units_with(group, &event.only).collect();
    // Named after the unit if each has some of the same group.
    let names: Vec<_> = match group.unit {
        None if !units.is_empty() => units.iter().map(|unit| &unit.name).collect(),
        _ => vec![&group.name],
    };
    let variant = names::event_variant(&event.name);
    // Units that have sources have groups of the same names.
    let unit = units.first().filter(|_| group.unit.is_some() && ip.counters.source.is_some());
    let module = unit.map_or(String::new(), |unit| names::unit_module(&unit.name) + "::");
    let rust: Vec<_> = names
        .iter()
        .map(|name| format!("{module}{}::{variant}", names::event_type(name)))
        .collect();
    text += &paragraph("  ", &format!("Rust: {}", rust.join(", ")));
    if !units.is_empty() {
        let titles: Vec<_> = units.iter().map(|unit| unit.title.as_str()).collect();
        text += &paragraph("  ", &format!("of: {}", titles.join(", ")));
    }
    let digits = ip.counters.id_width().div_ceil(4) as usize;
    for (name, id) in ids(ip, of) {
        let place = group.sources.iter().find(|source| Some(&*source.name) == name);
        let title =
            place.map_or(String::new(), |source| format!("  {}: {}", source.name, source.title));
        let bit = place.and_then(|source| Some(source.evntbus? + event.evntbus?));
        let bit = bit.map_or(String::new(), |bit| format!(", EVNTBUS bit {bit}"));
        text += &format!("  0x{id:0digits$X}{title}{bit}\n");
    }
    text.push('\n');
    text += &paragraph("", &event.doc);
    text += &paragraph("", &docs::event_data(event, group, 2));
    event.note.iter().for_each(|note| text += &paragraph("", note));
    text.push('\n');
    text + &paragraph("", &source(&event.origin, &ip.manual))
}
