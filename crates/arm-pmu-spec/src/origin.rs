//! Origins of facts, and rules about sources.

use std::collections::HashSet;

use crate::problem::{Place, Problems, report};
use crate::read::At;
use crate::scalar::{Confidence, Section, Text};

/// Origin of a fact, borrowed from the keys of a mapping.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'s> {
    pub section: Option<&'s At<Section>>,
    pub confidence: Option<&'s At<Confidence>>,
    pub source: Option<&'s At<Text>>,
}

/// Creates an [`Origin`] from the keys of a mapping.
#[macro_export]
macro_rules! origin {
    ($mapping:expr) => {
        $crate::origin::Origin {
            section: $mapping.section.as_ref(),
            confidence: $mapping.confidence.as_ref(),
            source: $mapping.source.as_ref(),
        }
    };
}

/// Fills the missing parts of an origin from the enclosing mapping.
///
/// The outer source justifies only the outer confidence, so a mapping with its own confidence does not inherit the
/// source.
pub fn inherit<'s>(own: Origin<'s>, outer: Origin<'s>) -> Origin<'s> {
    Origin {
        section: own.section.or(outer.section),
        confidence: own.confidence.or(outer.confidence),
        source: if own.confidence.is_some() { own.source } else { own.source.or(outer.source) },
    }
}

/// Checks that a fact from a single source names the source. `said` contains the positions of reported confidences, so
/// each is reported once.
pub fn single_source_is_named(
    origin: Origin<'_>,
    place: &Place,
    said: &mut HashSet<usize>,
    problems: &mut Problems,
) {
    let Some(confidence) = origin.confidence else { return };
    if matches!(**confidence, Confidence::C | Confidence::D | Confidence::M)
        && origin.source.is_none()
        && said.insert(confidence.place.range.start)
    {
        let message = format!("confidence {} needs a source", confidence.word());
        report(problems, confidence, message).other(place, "for this").help(
            "C is one source, D an inference and M a measurement: name the source in `from`, or give a `basis`",
        );
    }
}

/// Checks that a fact has a source.
pub fn leads_somewhere(origin: Origin<'_>, place: &Place, problems: &mut Problems) {
    if origin.section.is_none() && origin.source.is_none() {
        report(problems, place, "this fact has no source")
            .help("give the `section` of the manual, or another source in `from`");
    }
}
