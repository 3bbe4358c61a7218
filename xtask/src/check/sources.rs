//! Rules about the sources of events.

use std::collections::HashMap;

use super::Spec;
use super::events::field_bits;
use crate::problem::{Place, Problem, Problems};

/// Every id that the spec names: listed sources and reserved ids.
fn ids(spec: &Spec) -> impl Iterator<Item = (u32, &Place)> {
    spec.events.groups.iter().flat_map(|group| {
        let listed = group.sources.iter().map(|source| (source.id.0, &source.id.place));
        listed.chain(group.reserved_sources.iter().map(|id| (id.0, &id.place)))
    })
}

/// An id fits the field that selects the source.
pub fn fit_the_field(spec: &Spec, problems: &mut Problems) {
    let Some(bits) = field_bits(spec, &spec.events.counters.source) else { return };
    for (id, place) in ids(spec) {
        if u64::from(id) >= 1 << bits.width() {
            let message = format!("the source {id:#x} does not fit {} bits", bits.width());
            let problem = Problem::new(place, message);
            problems.push(problem.other(&spec.events.counters.source.place, "the field"));
        }
    }
}

/// An id is given once, over all groups.
pub fn are_unique(spec: &Spec, problems: &mut Problems) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for (id, place) in ids(spec) {
        if let Some(first) = taken.insert(id, place) {
            let problem = Problem::new(place, format!("the source {id:#x} is taken already"));
            problems.push(problem.other(first, "here"));
        }
    }
}

/// Every value of the field is a source or reserved.
pub fn are_all_accounted_for(spec: &Spec, problems: &mut Problems) {
    let Some(bits) = field_bits(spec, &spec.events.counters.source) else { return };
    let groups = &spec.events.groups;
    let complete = groups.complete
        && groups.iter().all(|group| group.sources.complete && group.reserved_sources.complete);
    if !complete || bits.width() > 16 {
        return;
    }
    let missing: Vec<_> =
        (0..1 << bits.width()).filter(|id| !ids(spec).any(|(other, _)| other == *id)).collect();
    if let [first, ..] = missing[..] {
        let message = format!("the source {first:#x} is neither listed nor reserved");
        let problem = Problem::new(&spec.events.counters.source.place, message);
        problems.push(problem.label("this field can hold it").help("add it to `reserved_sources`"));
    }
}
