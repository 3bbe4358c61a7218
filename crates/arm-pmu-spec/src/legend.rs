//! Determines the confidence and the source text of a fact from the entries of the legend that it
//! names.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::mapping;
use crate::problem::{Place, Problems, report};
use crate::read::{At, List, suggest};
use crate::scalar::{Bits, Confidence, Decimal, Hex, Name, Reference, Section, Text};

mapping! {
    /// A document or program as a source of facts.
    "an entry of the legend" => LegendEntry {
        /// Name of the entry in `from`.
        required name: At<Name>,
        required title: Text,
        /// Number of the document, with its issue.
        optional id: Text,
        /// Parts or issues that were read, if not the whole document.
        optional issue: Text,
        /// Confidence of a fact whose only source is this entry; C by default.
        optional grade: At<Confidence>,
        /// Implementations that the entry describes, or `all`; only in the file of an architecture. For other
        /// implementations, the facts from this entry are inferred.
        list of: At<Name>,
        /// Whether the entry is the manual of an implementation; only in the file of an architecture.
        flag manual: bool,
    }
}

impl LegendEntry {
    /// Whether the entry describes an implementation of the architecture.
    pub fn describes(&self, unit: &str) -> bool {
        self.of.iter().any(|of| [unit, ALL].contains(&&*of.0))
    }
}

/// Value of `of` that selects all implementations.
pub const ALL: &str = "all";

/// The legend of a file, as it applies to one IP.
pub struct Legend<'s> {
    entries: &'s List<LegendEntry>,
    /// Name of the implementation, if the file belongs to an architecture.
    unit: Option<&'s str>,
    used: RefCell<HashSet<String>>,
}

/// Sources of a mapping.
pub struct Fact<'s> {
    /// Kind of the mapping, as in messages.
    pub what: &'static str,
    pub place: &'s Place,
    pub from: &'s List<At<Reference>>,
    pub confidence: &'s mut Option<At<Confidence>>,
    pub source: &'s mut Option<At<Text>>,
}

/// A type of the spec language that can have sources.
pub trait Facts {
    /// Calls a function for each mapping with sources, inner mappings first.
    fn each_fact(&mut self, _with: &mut dyn FnMut(Fact<'_>)) {}
}

impl<T: Facts> Facts for At<T> {
    fn each_fact(&mut self, with: &mut dyn FnMut(Fact<'_>)) {
        self.value.each_fact(with);
    }
}

impl<T: Facts> Facts for List<T> {
    fn each_fact(&mut self, with: &mut dyn FnMut(Fact<'_>)) {
        self.items.iter_mut().for_each(|item| item.each_fact(with));
    }
}

impl Facts for Bits {}
impl Facts for Decimal {}
impl Facts for Hex {}
impl Facts for Name {}
impl Facts for Reference {}
impl Facts for Section {}
impl Facts for Text {}

/// Confidence and source text of a fact.
pub type Resolved = (Option<At<Confidence>>, Option<At<Text>>);

impl<'s> Legend<'s> {
    pub fn new(entries: &'s List<LegendEntry>, unit: Option<&'s str>) -> Self {
        Self { entries, unit, used: RefCell::default() }
    }

    /// Resolves the entries of `from`. Keeps a given confidence, and puts the sources before the text of `basis`.
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
            // The unknown name was already reported, or is due to a mistake in the legend, so a missing source is not
            // reported as well.
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
            // If the manual states a fact, the text names no other sources except measurements,
            // which confirm the manual.
            own.into_iter().filter(|(entry, _)| is_measured(entry)).collect()
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

    /// Resolves the sources of a mapping.
    pub fn apply(&self, fact: Fact<'_>, problems: &mut Problems) {
        self.has(fact.from, problems);
        let (confidence, source) = (fact.confidence.take(), fact.source.take());
        (*fact.confidence, *fact.source) = self.resolve(fact.from, confidence, source);
    }

    /// Checks that all names in `from` are in the legend.
    pub fn has(&self, from: &List<At<Reference>>, problems: &mut Problems) {
        for reference in from.iter() {
            let known = self.entries.iter().any(|entry| entry.name.0 == reference.name);
            self.used.borrow_mut().insert(reference.name.clone());
            if self.entries.complete && !known {
                let names: Vec<_> =
                    self.entries.iter().map(|entry| entry.name.0.as_str()).collect();
                let message = format!("the legend has no `{}`", reference.name);
                report(problems, reference, message).help(suggest(&reference.name, &names));
            }
        }
    }

    /// Checks that each entry has a unique name and is used.
    pub fn is_sound(&self, problems: &mut Problems) {
        let mut taken: Vec<&LegendEntry> = Vec::new();
        // If the file has other problems, a part that was not parsed may use the entry.
        let file = self.entries.first().map(|entry| entry.place.file);
        let is_whole = file.is_none_or(|file| !problems.are_in(file));
        for entry in self.entries.iter() {
            if let Some(first) = taken.iter().find(|first| first.name.0 == entry.name.0) {
                let message = format!("`{}` is listed twice", entry.name.0);
                report(problems, &entry.name, message).other(&first.name, "first here");
            } else if is_whole && !self.used.borrow().contains(&entry.name.0) {
                let message = format!("nothing comes from `{}`", entry.name.0);
                report(problems, &entry.name, message).help("name it in a `from`, or remove it");
            }
            taken.push(entry);
        }
    }
}

/// Confidence of a fact from one document.
fn grade(entry: &LegendEntry) -> Confidence {
    match &entry.grade {
        _ if entry.manual => Confidence::A,
        Some(grade) => grade.value,
        None => Confidence::C,
    }
}

fn is_measured(entry: &LegendEntry) -> bool {
    grade(entry) == Confidence::M
}

/// Confidence of a fact from several documents.
fn of_all(grades: impl Iterator<Item = Confidence>) -> Confidence {
    let all: Vec<Confidence> = grades.filter(|grade| *grade != Confidence::D).collect();
    match all.len() {
        _ if all.contains(&Confidence::M) => Confidence::M,
        _ if all.contains(&Confidence::A) => Confidence::A,
        0 => Confidence::D,
        1 => all[0],
        _ => Confidence::B,
    }
}

/// Title of a document, with the location in it.
fn title(entry: &LegendEntry, reference: &Reference) -> String {
    let title = &entry.title.0;
    match (&entry.id, &reference.place) {
        (None, None) => title.clone(),
        (Some(id), None) => format!("{title}, {}", id.0),
        (None, Some(place)) => format!("{title}, {place}"),
        (Some(id), Some(place)) => format!("{title}, {} {place}", id.0),
    }
}
