//! Rules about the origins of facts.

pub use arm_pmu_spec::origin::{inherit, leads_somewhere, single_source_is_named};

use super::prelude::*;
use crate::generate::model;
use crate::generate::spec::events::Events;

/// Checks that each register and field states its place in the manual or a source, and that each
/// fact with confidence C or D names its source.
pub fn of_registers(spec: &Registers, problems: &mut Problems) {
    let file = origin!(spec);
    let mut said = HashSet::new();
    for id in spec.main_id.iter() {
        single_source_is_named(inherit(origin!(id), file), &id.part.place, &mut said, problems);
    }
    for unit in spec.units.iter() {
        let whole = inherit(origin!(unit), file);
        for id in unit.main_id.iter() {
            single_source_is_named(
                inherit(origin!(id), whole),
                &id.part.place,
                &mut said,
                problems,
            );
        }
        single_source_is_named(whole, &unit.name.place, &mut said, problems);
        for page in unit.pages.iter() {
            let own = inherit(origin!(page), whole);
            single_source_is_named(own, &page.name.place, &mut said, problems);
            leads_somewhere(own, &page.name.place, problems);
        }
    }
    for register in spec.registers.iter() {
        let whole = inherit(origin!(register), file);
        single_source_is_named(whole, &register.name.place, &mut said, problems);
        leads_somewhere(whole, &register.name.place, problems);
        for (place, _, own) in register.all_resets() {
            single_source_is_named(inherit(own, whole), place, &mut said, problems);
        }
        for field in register.fields.iter() {
            let own = inherit(origin!(field), whole);
            single_source_is_named(own, &field.place, &mut said, problems);
        }
    }
}

pub fn of_events(spec: &Events, problems: &mut Problems) {
    let file = origin!(spec);
    let mut said = HashSet::new();
    for group in spec.groups.iter() {
        let whole = inherit(origin!(group), file);
        for event in group.events.iter() {
            let own = inherit(origin!(event), whole);
            single_source_is_named(own, &event.name.place, &mut said, problems);
            leads_somewhere(own, &event.name.place, problems);
        }
    }
}

/// Converts the origin of a fact for the model, which owns its data. A fact without a confidence
/// comes from the manual.
pub fn owned(origin: Origin<'_>) -> model::Origin {
    model::Origin {
        section: origin.section.map(|section| section.0.clone()),
        confidence: origin.confidence.map_or(Confidence::A, |confidence| **confidence),
        source: origin.source.map(|source| source.0.clone()),
    }
}
