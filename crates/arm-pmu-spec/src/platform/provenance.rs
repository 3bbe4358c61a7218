//! Rules about the sources of facts.

use std::collections::HashSet;

use super::language::{Instance, Platform};
use crate::apply;
use crate::legend::Legend;
use crate::origin::{Origin, single_source_is_named};
use crate::problem::{Place, Problems, report};
use crate::scalar::Confidence;

/// Resolves the sources of one mapping, and checks that it has one.
macro_rules! resolve {
    ($facts:expr, $mapping:expr) => {{
        let mapping = $mapping;
        apply!($facts.legend, $facts.problems, &mut *mapping);
        let origin = Origin {
            section: None,
            confidence: mapping.confidence.as_ref(),
            source: mapping.source.as_ref(),
        };
        single_source_is_named(origin, &mapping.place, &mut $facts.said, $facts.problems);
        // A missing source was already reported for confidence C, D or M.
        let confidence = origin.confidence.map(|c| c.value);
        if !matches!(confidence, Some(Confidence::C | Confidence::D | Confidence::M)) {
            leads_somewhere(origin, &mapping.place, $facts.problems);
        }
    }};
}

/// Resolves the legend, and checks that every fact has a confidence and a source.
pub fn apply_legend(spec: &mut Platform, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    for entry in entries.iter() {
        let of = entry.of.first().map(|of| &of.place);
        if let Some(place) = of.or(entry.manual.then_some(&entry.name.place)) {
            report(problems, place, "only the legend of an architecture has these keys")
                .help("remove `of` and `manual`");
        }
    }
    let legend = Legend::new(&entries, None);
    let mut facts = Facts { legend: &legend, said: HashSet::new(), problems };
    for note in &mut spec.notes.items {
        resolve!(facts, note);
    }
    for instance in &mut spec.instances.items {
        facts.of_instance(instance);
    }
    legend.is_sound(problems);
    spec.legend = entries;
}

/// Checks that a fact has a source. Facts of platforms have no section of a manual.
fn leads_somewhere(origin: Origin<'_>, place: &Place, problems: &mut Problems) {
    if origin.source.is_none() {
        report(problems, place, "this fact has no source")
            .help("name it in `from`, or explain in `basis` how the fact was found");
    }
}

struct Facts<'f> {
    legend: &'f Legend<'f>,
    /// Positions of confidences that were reported.
    said: HashSet<usize>,
    problems: &'f mut Problems,
}

impl Facts<'_> {
    fn of_instance(&mut self, instance: &mut Instance) {
        resolve!(self, &mut instance.ip);
        for unit in instance.unit.iter_mut() {
            resolve!(self, unit);
        }
        for cpus in instance.cpus.iter_mut() {
            resolve!(self, cpus);
        }
        for base in instance.base.iter_mut() {
            resolve!(self, base);
        }
        for length in instance.length.iter_mut() {
            resolve!(self, length);
        }
        for interrupts in instance.interrupts.iter_mut() {
            resolve!(self, interrupts);
        }
        for linux in instance.linux.iter_mut() {
            resolve!(self, linux);
        }
        for node in instance.device_tree.iter_mut() {
            resolve!(self, node);
        }
        for clock in instance.clock.iter_mut() {
            resolve!(self, clock);
        }
        for interface in &mut instance.interfaces.items {
            resolve!(self, &mut *interface);
            for bytes in interface.beat_bytes.iter_mut() {
                resolve!(self, bytes);
            }
        }
        for switch in &mut instance.switches.items {
            for way in &mut switch.ways.items {
                resolve!(self, way);
            }
            resolve!(self, switch);
        }
        for fault in &mut instance.faults.items {
            resolve!(self, fault);
        }
        for note in &mut instance.notes.items {
            resolve!(self, note);
        }
        for stream in &mut instance.streams.items {
            resolve!(self, stream);
        }
        for copy in &mut instance.copies.items {
            for stream in &mut copy.streams.items {
                resolve!(self, stream);
            }
            // Missing keys are inherited from the first instance.
            if !copy.from.is_empty() || copy.source.is_some() || copy.confidence.is_some() {
                resolve!(self, copy);
            }
        }
    }
}
