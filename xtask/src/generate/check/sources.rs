//! Rules about the sources of events.

use super::events::id_bits;
use super::gaps;
use super::prelude::*;
use super::units::{groups_of, units_or_all};
use crate::generate::spec::events::Group;

/// Returns every source id in the spec: listed sources and reserved ids.
fn ids(spec: &Spec) -> impl Iterator<Item = (u32, &Place)> {
    spec.events.groups.iter().flat_map(ids_of)
}

fn ids_of(group: &Group) -> impl Iterator<Item = (u32, &Place)> {
    let listed = group.sources.iter().map(|source| (source.id.0, &source.id.place));
    listed.chain(group.reserved_sources.iter().map(|id| (id.0, &id.place)))
}

/// Returns the bits of an event id that hold the source, and the place in the spec that defines the
/// field.
fn field(spec: &Spec) -> Option<(Bits, &Place)> {
    let bits = id_bits(spec)?.source?;
    Some((bits, &spec.events.counters.source.as_ref()?.place))
}

/// Sources require a field that selects a source.
pub fn have_a_field(spec: &Spec, problems: &mut Problems) {
    if spec.events.counters.source.is_none()
        && let Some((_, place)) = ids(spec).next()
    {
        report(problems, place, "no field selects a source")
            .other(&spec.events.counters, "the counters")
            .help("name the field here as `source`, or remove all sources");
    }
}

pub fn fit_the_field(spec: &Spec, problems: &mut Problems) {
    let Some((bits, field)) = field(spec) else { return };
    for (id, place) in ids(spec) {
        if u64::from(id) >= 1 << bits.width() {
            let message = format!("the source 0x{id:X} does not fit {} bits", bits.width());
            report(problems, place, message).other(field, "the field");
        }
    }
}

/// A source id is unique over all groups of a unit.
pub fn are_unique(spec: &Spec, problems: &mut Problems) {
    // A problem in a group that all units share is found for each unit, but reported once.
    let mut told: Vec<&Place> = Vec::new();
    for unit in units_or_all(spec) {
        for (id, place, first) in repeated(groups_of(spec, unit).flat_map(ids_of)) {
            if !told.contains(&place) {
                report(problems, place, format!("the source 0x{id:X} is taken already"))
                    .other(first, "here");
                told.push(place);
            }
        }
    }
}

/// Checks that every value of the field is a source id or reserved.
pub fn are_all_accounted_for(spec: &Spec, problems: &mut Problems) {
    let Some((bits, field)) = field(spec) else { return };
    let groups = &spec.events.groups;
    let complete = groups.complete
        && groups.iter().all(|group| group.sources.complete && group.reserved_sources.complete);
    if !complete {
        return;
    }
    for unit in units_or_all(spec) {
        // Another rule reports a unit without a group.
        if unit.is_some() && groups_of(spec, unit).next().is_none() {
            continue;
        }
        let all = groups_of(spec, unit).flat_map(ids_of).map(|(id, _)| id);
        if let Some(missing) = gaps::gaps(bits.width(), all, std::iter::empty()) {
            let mut message = gaps::message("source", &missing, 1);
            if let Some(unit) = unit {
                message = format!("{message}, in `{unit}`");
            }
            let help = "list it, or add it to the `reserved_sources` of a group";
            report(problems, field, message).label("this field can hold it").help(help);
        }
    }
}
