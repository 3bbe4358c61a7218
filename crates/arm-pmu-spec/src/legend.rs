//! Resolves names of the legend to the confidence of each fact and the text of its sources.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::mapping;
use crate::problem::{Problem, Problems};
use crate::read::{At, List, suggest};
use crate::scalar::{Confidence, Name, Reference, Text};

mapping! {
    /// A document or program as a source of facts.
    "an entry of the legend" => LegendEntry {
        /// Its name in `from`.
        required name: At<Name>,
        required title: Text,
        /// Its number, with the issue.
        optional id: Text,
        /// The parts or issues that were read, if not the whole document.
        optional issue: Text,
        /// The confidence of a fact that only this source has; C if left out.
        optional grade: At<Confidence>,
        /// Only in an architecture: the implementations that it describes, or `all`. For others its
        /// facts are inferred.
        list of: At<Name>,
        /// Only in an architecture: whether it is the manual of an implementation.
        flag manual: bool,
    }
}

impl LegendEntry {
    /// Whether it applies to this implementation of its architecture.
    pub fn describes(&self, unit: &str) -> bool {
        self.of.iter().any(|of| [unit, ALL].contains(&&*of.0))
    }
}

/// In `of`, in place of the names of all implementations.
pub const ALL: &str = "all";

/// The legend of a file, as it applies to one IP.
pub struct Legend<'s> {
    entries: &'s List<LegendEntry>,
    /// The implementation's name, if the IP implements an architecture.
    unit: Option<&'s str>,
    used: RefCell<HashSet<String>>,
}

/// A confidence, and the text that goes with it.
pub type Resolved = (Option<At<Confidence>>, Option<At<Text>>);

impl<'s> Legend<'s> {
    pub fn new(entries: &'s List<LegendEntry>, unit: Option<&'s str>) -> Self {
        Self { entries, unit, used: RefCell::default() }
    }

    /// Adds facts of the sources, if any: the confidence, unless given, and their names in front of `basis`.
    pub fn resolve(
        &self,
        from: &List<At<Reference>>,
        confidence: Option<At<Confidence>>,
        basis: Option<At<Text>>,
    ) -> Resolved {
        let Some(first) = from.first() else { return (confidence, basis) };
        let place = &first.place;
        let entry = |reference: &At<Reference>| {
            self.entries.iter().find(|entry| entry.name.0 == reference.name)
        };
        if let Some(unknown) = from.iter().find(|reference| entry(reference).is_none()) {
            // Reported, or the consequence of a mistake in the legend. It is a source all the same.
            let at = |text| At { value: Text(text), place: place.clone() };
            let grade = At { value: Confidence::A, place: place.clone() };
            return (confidence.or(Some(grade)), basis.or_else(|| Some(at(unknown.name.clone()))));
        }
        let all = from.iter().filter_map(|reference| Some((entry(reference)?, reference)));
        let all: Vec<(&LegendEntry, &At<Reference>)> = all.collect();
        let speaks = |entry: &LegendEntry| self.unit.is_none_or(|unit| entry.describes(unit));
        let own: Vec<_> = all.iter().copied().filter(|(entry, _)| speaks(entry)).collect();
        let is_in_manual = own.iter().any(|(entry, _)| entry.manual);
        let grades = own.iter().map(|(entry, _)| grade(entry));
        let grade = of_all(grades);
        let named = if is_in_manual && confidence.is_none() {
            Vec::new()
        } else if own.is_empty() {
            all
        } else {
            own
        };
        let texts = named.into_iter().map(|(entry, reference)| title(entry, reference));
        let named = texts.collect::<Vec<_>>().join("; ");
        let text = match basis {
            Some(basis) if named.is_empty() => basis.value.0,
            Some(basis) => format!("{named}: {}", basis.value.0),
            None => named,
        };
        let at = |value| At { value, place: place.clone() };
        let source = (!text.is_empty()).then(|| At { value: Text(text), place: place.clone() });
        (confidence.or_else(|| Some(at(grade))), source)
    }

    /// A fact names entries of the legend.
    pub fn has(&self, from: &List<At<Reference>>, problems: &mut Problems) {
        for reference in from.iter() {
            let known = self.entries.iter().any(|entry| entry.name.0 == reference.name);
            self.used.borrow_mut().insert(reference.name.clone());
            if self.entries.complete && !known {
                let names: Vec<_> =
                    self.entries.iter().map(|entry| entry.name.0.as_str()).collect();
                let message = format!("the legend has no `{}`", reference.name);
                let problem = Problem::new(&reference.place, message);
                problems.push(problem.help(suggest(&reference.name, &names)));
            }
        }
    }

    /// No name is given twice, and each is used.
    pub fn is_sound(&self, problems: &mut Problems) {
        let mut taken: Vec<&LegendEntry> = Vec::new();
        // An unreadable part may name it.
        let file = self.entries.first().map(|entry| entry.place.file);
        let is_whole = file.is_none_or(|file| !problems.are_in(file));
        for entry in self.entries.iter() {
            if let Some(first) = taken.iter().find(|first| first.name.0 == entry.name.0) {
                let message = format!("`{}` is listed twice", entry.name.0);
                let problem = Problem::new(&entry.name.place, message);
                problems.push(problem.other(&first.name.place, "first here"));
            } else if is_whole && !self.used.borrow().contains(&entry.name.0) {
                let message = format!("nothing comes from `{}`", entry.name.0);
                let problem = Problem::new(&entry.name.place, message);
                problems.push(problem.help("name it in a `from`, or remove it"));
            }
            taken.push(entry);
        }
    }
}

/// The confidence of a fact from one document.
fn grade(entry: &LegendEntry) -> Confidence {
    match &entry.grade {
        _ if entry.manual => Confidence::A,
        Some(grade) => grade.value,
        None => Confidence::C,
    }
}

/// The confidence of a fact from several documents.
fn of_all(grades: impl Iterator<Item = Confidence>) -> Confidence {
    let all: Vec<Confidence> = grades.filter(|grade| *grade != Confidence::D).collect();
    match all.len() {
        _ if all.contains(&Confidence::A) => Confidence::A,
        0 => Confidence::D,
        1 => all[0],
        _ => Confidence::B,
    }
}

/// A document, and the place in it.
fn title(entry: &LegendEntry, reference: &Reference) -> String {
    let title = &entry.title.0;
    match (&entry.id, &reference.place) {
        (None, None) => title.clone(),
        (Some(id), None) => format!("{title}, {}", id.0),
        (None, Some(place)) => format!("{title}, {place}"),
        (Some(id), Some(place)) => format!("{title}, {} {place}", id.0),
    }
}

/// Resolves the sources of a mapping to confidence and text.
#[macro_export]
macro_rules! apply {
    ($legend:expr, $problems:expr, $mapping:expr) => {{
        let mapping = $mapping;
        $legend.has(&mapping.from, $problems);
        let (confidence, source) = (mapping.confidence.take(), mapping.source.take());
        (mapping.confidence, mapping.source) = $legend.resolve(&mapping.from, confidence, source);
    }};
}
