//! Rules about EVNTBUS bits.

use super::prelude::*;
use super::units::{groups_of, units_or_all};
use crate::generate::spec::events::{EventBus, Events, Group};

/// Only an IP with an EVNTBUS has `evntbus` bits.
pub fn is_there(spec: &Events, problems: &mut Problems) {
    let places = spec.groups.iter().filter_map(|group| group.evntbus.as_ref());
    let all = bits(spec).map(|bit| &bit.place).chain(places.map(|at| &at.place));
    // Reports one missing line at the top instead of one mistake per event.
    if spec.evntbus.is_none()
        && let Some(place) = all.min_by_key(|place| place.range.start)
    {
        report(problems, place, "the IP has no EVNTBUS").help(match has_sources(spec) {
            true => "give its width at the top: `evntbus: configured`",
            false => "only events with sources are on an EVNTBUS: remove `evntbus`",
        });
    }
}

pub fn is_of_sources(spec: &Events, problems: &mut Problems) {
    if let Some(bus) = &spec.evntbus
        && !has_sources(spec)
    {
        report(problems, bus, "EVNTBUS has bits for sources, but the IP has no sources")
            .other(&spec.counters, "no `source` here")
            .help("remove it; only events with sources are exported");
    }
}

/// Returns whether events have sources: `counters` has a `source`, or a group lists sources.
fn has_sources(spec: &Events) -> bool {
    spec.counters.source.is_some() || spec.groups.iter().any(|group| !group.sources.is_empty())
}

/// Highest number of bits that generated code can represent.
const MOST_BITS: u32 = 1 << u16::BITS;

/// A bit number fits its type in generated code.
pub fn is_not_too_wide(spec: &Events, problems: &mut Problems) {
    if let Some(bus) = &spec.evntbus
        && let EventBus::Bits(width) = **bus
        && width > MOST_BITS
    {
        report(problems, bus, format!("no EVNTBUS has {width} bits"))
            .help(format!("the maximum is {MOST_BITS}"));
    }
    for bit in bits(spec) {
        if bit.0 >= MOST_BITS {
            report(problems, bit, format!("bit {} is beyond any EVNTBUS", bit.0))
                .help(format!("the highest is {}", u16::MAX));
        }
    }
}

fn bits(spec: &Events) -> impl Iterator<Item = &At<Decimal>> {
    spec.groups.iter().flat_map(bits_of)
}

fn bits_of(group: &Group) -> impl Iterator<Item = &At<Decimal>> {
    let starts = group.sources.iter().filter_map(|source| source.evntbus.as_ref());
    starts.chain(group.events.iter().filter_map(|event| event.evntbus.as_ref()))
}

/// A group whose EVNTBUS bits are unknown lists no bits.
pub fn is_known_or_unknown(group: &Group, problems: &mut Problems) {
    if let Some(unknown) = &group.evntbus
        && let Some(bit) = bits_of(group).min_by_key(|bit| bit.place.range.start)
    {
        report(problems, bit, "the bits of this group are unknown").other(unknown, "declared here");
    }
}

/// If there is an EVNTBUS, each event of a group has its own bit, unless the bit is unknown.
pub fn has_a_bit_for_each_event(spec: &Events, group: &Group, problems: &mut Problems) {
    let Some(bus) = spec.evntbus.as_ref().filter(|_| has_sources(spec)) else { return };
    if group.evntbus.is_some() {
        return;
    }
    for event in group.events.iter().filter(|event| event.evntbus.is_none()) {
        report(problems, &event.name, "the event lacks `evntbus`")
            .other(bus, "the IP has an EVNTBUS");
    }
    let bits = group.events.iter().filter_map(|event| event.evntbus.as_ref());
    for (bit, place, first) in repeated(bits.map(|bit| (bit.0, &bit.place))) {
        report(problems, place, format!("bit {bit} of EVNTBUS is taken already"))
            .other(first, "here");
    }
}

/// No two sources drive the same bit. In a complete table, which gives the width of EVNTBUS, each bit is driven by one
/// event of one source of a unit.
pub fn is_allocated_once(spec: &Spec, problems: &mut Problems) {
    let Some(bus) = &spec.events.evntbus else { return };
    let width = match **bus {
        EventBus::Configured => {
            let groups: Vec<_> = spec.events.groups.iter().collect();
            return has_each_bit_once(&groups, bus, None, problems);
        }
        EventBus::Bits(width) => width,
    };
    if width > MOST_BITS {
        return;
    }
    for unit in units_or_all(spec) {
        let groups: Vec<_> = groups_of(spec, unit).collect();
        if groups.iter().all(|group| group.evntbus.is_none()) {
            has_each_bit_once(&groups, bus, Some(width), problems);
        }
        // A mistake in a group that all units share is reported once.
        if !problems.is_empty() {
            return;
        }
    }
}

fn has_each_bit_once(
    groups: &[&Group],
    bus: &At<EventBus>,
    width: Option<u32>,
    problems: &mut Problems,
) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for group in groups {
        for source in group.sources.iter() {
            let Some(base) = &source.evntbus else {
                if width.is_some() {
                    report(problems, &source.name, "the source lacks `evntbus`")
                        .other(bus, "the width of EVNTBUS is given here");
                }
                continue;
            };
            let bits = group.events.iter().filter_map(|event| event.evntbus.as_ref());
            // A sum that overflows is also beyond the width.
            let bits = bits.map(|bit| base.0.saturating_add(bit.0));
            let beyond = width.and_then(|width| Some((bits.clone().find(|b| *b >= width)?, width)));
            let clash = bits.clone().find_map(|bit| Some((bit, *taken.get(&bit)?)));
            if let Some((bit, width)) = beyond {
                let message = format!("bit {bit} is outside of an EVNTBUS of {width} bits");
                report(problems, base, message).other(bus, "its width");
            } else if let Some((bit, other)) = clash {
                let message = format!("bit {bit} of EVNTBUS is taken already");
                report(problems, base, message).other(other, "by this source");
            } else {
                taken.extend(bits.map(|bit| (bit, &base.place)));
            }
        }
    }
    let missing = (0..width.unwrap_or(0)).find(|bit| !taken.contains_key(bit));
    if let Some(bit) = missing.filter(|_| problems.is_empty()) {
        report(problems, bus, format!("no event drives bit {bit} of EVNTBUS")).label("its width");
    }
}
