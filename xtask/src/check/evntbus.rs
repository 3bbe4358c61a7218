//! Rules about the bits of EVNTBUS.

use std::collections::HashMap;

use crate::problem::{Place, Problem, Problems};
use crate::spec::events::{Events, Group};
use crate::spec::read::At;
use crate::spec::scalar::Decimal;

/// Only an IP that has an EVNTBUS has bits of it.
pub fn is_there(spec: &Events, problems: &mut Problems) {
    // One missing line at the top, not one mistake per event.
    if spec.evntbus.is_none()
        && let Some(bit) = bits(spec).min_by_key(|bit| bit.place.range.start)
    {
        let problem = Problem::new(&bit.place, "the IP has no EVNTBUS");
        problems.push(problem.help("say how wide it is at the top: `evntbus: configured`"));
    }
}

/// A bit number is one that generated code can hold.
pub fn is_not_too_wide(spec: &Events, problems: &mut Problems) {
    for bit in bits(spec) {
        if bit.0 > u32::from(u16::MAX) {
            let problem = Problem::new(&bit.place, format!("bit {} is beyond any EVNTBUS", bit.0));
            problems.push(problem.help(format!("the highest that can be given is {}", u16::MAX)));
        }
    }
}

fn bits(spec: &Events) -> impl Iterator<Item = &At<Decimal>> {
    spec.groups.iter().flat_map(|group| {
        let starts = group.sources.iter().filter_map(|source| source.evntbus.as_ref());
        starts.chain(group.events.iter().filter_map(|event| event.evntbus.as_ref()))
    })
}

/// If there is an EVNTBUS, each event of a group has a bit of its own there.
pub fn has_a_bit_for_each_event(spec: &Events, group: &Group, problems: &mut Problems) {
    let Some(bus) = &spec.evntbus else { return };
    let mut taken: HashMap<u32, &Place> = HashMap::new();
    for event in group.events.iter() {
        let Some(bit) = &event.evntbus else {
            let problem = Problem::new(&event.name.place, "the event lacks `evntbus`");
            problems.push(problem.other(&bus.place, "the IP has an EVNTBUS"));
            continue;
        };
        let first = *taken.entry(bit.0).or_insert(&bit.place);
        if *first != bit.place {
            let message = format!("bit {} of EVNTBUS is taken already", bit.0);
            problems.push(Problem::new(&bit.place, message).other(first, "here"));
        }
    }
}
