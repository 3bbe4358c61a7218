//! Rules about the sources of facts.

use std::collections::HashSet;

use super::language::Platform;
use crate::legend::{Fact, Facts as _, Legend};
use crate::origin::{Origin, single_source_is_named};
use crate::problem::{Problems, report};
use crate::scalar::Confidence;

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
    // Positions of the `confidence` keys that already have a message.
    let mut said = HashSet::new();
    spec.each_fact(&mut |Fact { what, place, from, confidence, source }| {
        // Missing keys are inherited from the first instance.
        if what == "a copy" && from.is_empty() && source.is_none() && confidence.is_none() {
            return;
        }
        legend.apply(Fact { what, place, from, confidence, source }, problems);
        let (confidence, source) = (confidence.as_ref(), source.as_ref());
        let origin = Origin { section: None, confidence, source };
        single_source_is_named(origin, place, &mut said, problems);
        // A missing source was already reported for confidence C, D or M. Facts of platforms do not cite a section of a
        // manual.
        let confidence = confidence.map(|confidence| confidence.value);
        let is_reported = matches!(confidence, Some(Confidence::C | Confidence::D | Confidence::M));
        if source.is_none() && !is_reported {
            report(problems, place, "this fact has no source")
                .help("name it in `from`, or explain in `basis` how the fact was found");
        }
    });
    legend.is_sound(problems);
    spec.legend = entries;
}
