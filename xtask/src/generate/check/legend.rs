//! From names of the legend to the confidence of each fact, and to the text that says where it comes from.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::generate::problem::{Problem, Problems};
use crate::generate::spec::LegendEntry;
use crate::generate::spec::events::Events;
use crate::generate::spec::findings::{CommonFindings, Finding, Findings};
use crate::generate::spec::metrics::Metrics;
use crate::generate::spec::read::{At, List, suggest};
use crate::generate::spec::registers::Registers;
use crate::generate::spec::scalar::{Confidence, Reference, Text};

/// The legend of a file, as one IP sees it.
pub struct Legend<'s> {
    entries: &'s List<LegendEntry>,
    /// The implementation, if it is that of an architecture.
    unit: Option<&'s str>,
    used: RefCell<HashSet<String>>,
}

/// A confidence, and the text that goes with it.
pub type Resolved = (Option<At<Confidence>>, Option<At<Text>>);

impl<'s> Legend<'s> {
    pub fn new(entries: &'s List<LegendEntry>, unit: Option<&'s str>) -> Self {
        Self { entries, unit, used: RefCell::default() }
    }

    /// What follows from the sources, where there are some: the confidence, unless it is given, and the
    /// text that names them, before what is said of them.
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
        let all = from.iter().filter_map(|reference| Some((entry(reference)?, reference)));
        let all: Vec<(&LegendEntry, &At<Reference>)> = all.collect();
        let speaks = |entry: &LegendEntry| {
            self.unit.is_none_or(|unit| entry.of.iter().any(|of| of.0 == unit))
        };
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
        // What could not be read may name it.
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

/// The confidence of a fact that stands in one document.
fn grade(entry: &LegendEntry) -> Confidence {
    match &entry.grade {
        _ if entry.manual => Confidence::A,
        Some(grade) => grade.value,
        None => Confidence::C,
    }
}

/// That of a fact which stands in several.
fn of_all(grades: impl Iterator<Item = Confidence>) -> Confidence {
    let all: Vec<Confidence> = grades.filter(|grade| *grade != Confidence::D).collect();
    match all.len() {
        _ if all.contains(&Confidence::A) => Confidence::A,
        0 => Confidence::D,
        1 => all[0],
        _ => Confidence::B,
    }
}

/// A document, and where to look in it.
fn title(entry: &LegendEntry, reference: &Reference) -> String {
    let title = &entry.title.0;
    match (&entry.id, &reference.place) {
        (None, None) => title.clone(),
        (Some(id), None) => format!("{title}, {}", id.0),
        (None, Some(place)) => format!("{title}, {place}"),
        (Some(id), Some(place)) => format!("{title}, {} {place}", id.0),
    }
}

/// Puts confidence and text into a mapping that says where it comes from.
macro_rules! apply {
    ($legend:expr, $problems:expr, $mapping:expr) => {{
        let mapping = $mapping;
        $legend.has(&mapping.from, $problems);
        let (confidence, source) = (mapping.confidence.take(), mapping.source.take());
        (mapping.confidence, mapping.source) = $legend.resolve(&mapping.from, confidence, source);
    }};
}

/// Applies the legend of a file of one IP, which speaks of that IP alone.
fn with(
    entries: &List<LegendEntry>,
    problems: &mut Problems,
    apply: impl FnOnce(&Legend<'_>, &mut Problems),
) {
    for entry in entries.iter() {
        if let Some(place) =
            entry.of.first().map(|of| &of.place).or(entry.manual.then_some(&entry.name.place))
        {
            let problem = Problem::new(place, "only the legend of an architecture says this");
            problems.push(problem.help("remove `of` and `manual`: this file is about one IP"));
        }
    }
    let legend = Legend::new(entries, None);
    apply(&legend, problems);
    legend.is_sound(problems);
}

pub fn of_registers(spec: &mut Registers, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        if let Some(id) = &mut spec.main_id {
            apply!(legend, problems, id);
        }
        for unit in &mut spec.units.items {
            if let Some(id) = &mut unit.main_id {
                apply!(legend, problems, id);
            }
            for page in &mut unit.pages.items {
                apply!(legend, problems, page);
            }
            apply!(legend, problems, unit);
        }
        for register in &mut spec.registers.items {
            if let Some(reset) = &mut register.reset {
                apply!(legend, problems, &mut reset.value);
            }
            for reset in &mut register.resets.items {
                apply!(legend, problems, reset);
            }
            for field in &mut register.fields.items {
                apply!(legend, problems, field);
            }
            apply!(legend, problems, register);
        }
    });
    spec.legend = entries;
}

pub fn of_events(spec: &mut Events, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        for group in &mut spec.groups.items {
            for event in &mut group.events.items {
                apply!(legend, problems, event);
            }
            apply!(legend, problems, group);
        }
    });
    spec.legend = entries;
}

pub fn of_metrics(spec: &mut Metrics, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        for group in &mut spec.groups.items {
            for metric in &mut group.metrics.items {
                apply!(legend, problems, metric);
            }
            for figure in &mut group.not_computable.items {
                apply!(legend, problems, figure);
            }
            apply!(legend, problems, group);
        }
    });
    spec.legend = entries;
}

pub fn of_findings(spec: &mut Findings, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| {
        apply!(legend, problems, &mut *spec);
        of_each(&mut spec.findings, legend, problems);
    });
    spec.legend = entries;
}

pub fn of_common_findings(spec: &mut CommonFindings, problems: &mut Problems) {
    let entries = std::mem::take(&mut spec.legend);
    with(&entries, problems, |legend, problems| of_each(&mut spec.findings, legend, problems));
    spec.legend = entries;
}

fn of_each(findings: &mut List<Finding>, legend: &Legend<'_>, problems: &mut Problems) {
    for finding in &mut findings.items {
        apply!(legend, problems, finding);
    }
}
