//! Rules about the sources of events.

use std::collections::HashMap;

use super::events::id_bits;
use super::{Spec, gaps};
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
    let Some((_, bits)) = id_bits(spec) else { return };
    for (id, place) in ids(spec) {
        if u64::from(id) >= 1 << bits.width() {
            let message = format!("the source 0x{id:X} does not fit {} bits", bits.width());
            let problem = Problem::new(place, message);
            problems.push(problem.other(&spec.events.counters.source.place, "the field"));
        }
    }
}

/// An id is given once, over all groups.
pub fn are_unique(spec: &Spec, problems: &mut Problems) {
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for (id, place) in ids(spec) {
        let first = *taken.entry(id).or_insert(place);
        if first != place {
            let problem = Problem::new(place, format!("the source 0x{id:X} is taken already"));
            problems.push(problem.other(first, "here"));
        }
    }
}

/// Every value of the field is a source or reserved.
pub fn are_all_accounted_for(spec: &Spec, problems: &mut Problems) {
    let Some((_, bits)) = id_bits(spec) else { return };
    let groups = &spec.events.groups;
    let complete = groups.complete
        && groups.iter().all(|group| group.sources.complete && group.reserved_sources.complete);
    if !complete {
        return;
    }
    let all = ids(spec).map(|(id, _)| id);
    if let Some(missing) = gaps::gaps(bits.width(), all, std::iter::empty()) {
        let message = gaps::message("source", &missing, 1);
        let problem = Problem::new(&spec.events.counters.source.place, message);
        let help = "list it, or add it to the `reserved_sources` of a group";
        problems.push(problem.label("this field can hold it").help(help));
    }
}
