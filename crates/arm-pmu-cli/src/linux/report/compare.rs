//! Comparison of two runs.

use std::collections::HashMap;

use super::model::{Counter, Metric, Report};
use crate::base::number;

/// Changes from the other run to this run.
#[derive(Debug)]
pub struct Comparison<'r> {
    /// Events in the order of this run; then events that only the other run has.
    pub counters: Vec<Pair<'r, Counter>>,
    pub metrics: Vec<Pair<'r, Metric>>,
    /// Warnings.
    pub notes: Vec<String>,
}

/// An event or a metric in both runs.
#[derive(Debug)]
pub struct Pair<'r, T> {
    /// Name, including PMU and source.
    pub name: String,
    pub this: Option<&'r T>,
    pub other: Option<&'r T>,
}

impl<T> Pair<'_, T> {
    /// Numbers of the other run and of this run; `None` if either has no number.
    pub fn numbers(&self, of: impl Fn(&T) -> Option<f64>) -> Option<(f64, f64)> {
        of(self.other?).zip(of(self.this?))
    }

    /// Formats the change of a number.
    pub fn change(&self, of: impl Fn(&T) -> Option<f64>) -> String {
        self.numbers(of).map_or("-".to_owned(), |(from, to)| number::change(from, to))
    }
}

/// Counts are compared if the lengths of both runs differ by at most this share; otherwise rates
/// are compared.
const ALIKE: f64 = 0.02;

impl<'r> Comparison<'r> {
    /// Changes from `other` to `this`.
    pub fn new(this: &'r Report, other: &'r Report) -> Self {
        let counters = pairs(&this.counters, &other.counters, Counter::full_name);
        let metrics = pairs(&this.metrics, &other.metrics, Metric::full_name);
        let mut notes = Vec::new();
        notes.extend(this.notes.iter().map(|note| format!("This run: {note}")));
        notes.extend(other.notes.iter().map(|note| format!("Other run: {note}")));
        let (one, another) = (this.seconds(), other.seconds());
        if (one - another).abs() > ALIKE * one.max(another) {
            notes.push(format!(
                "This run took {one:.3} s and the other {another:.3} s: unless both did the same work, compare rates per second."
            ));
        }
        if !counters.iter().any(|change| change.this.is_some() && change.other.is_some()) {
            notes.push("The runs have no event in common.".to_owned());
        }
        let whole =
            this.counters.iter().chain(&other.counters).find(|one| one.is_of_interconnect());
        if let Some(counter) = whole {
            notes
                .push(format!("{} counts the whole system, not the program alone.", counter.pmu()));
        }
        notes.push(
            "Two reports do not show how much runs differ by chance, so there is no verdict; `arm-pmu stat --record` \
             and `--compare` keep each run."
                .to_owned(),
        );
        Self { counters, metrics, notes }
    }
}

/// Pairs items of the same name, in the order of the first list; unpaired items of the second list follow.
pub fn pairs<'r, T>(one: &'r [T], other: &'r [T], name: impl Fn(&T) -> String) -> Vec<Pair<'r, T>> {
    let mut taken = vec![false; other.len()];
    let mut of_name: HashMap<String, Vec<usize>> = HashMap::new();
    for nth in (0..other.len()).rev() {
        of_name.entry(name(&other[nth])).or_default().push(nth);
    }
    let mut pairs = Vec::new();
    for item in one {
        let name_of_item = name(item);
        let found = of_name.get_mut(&name_of_item).and_then(Vec::pop);
        if let Some(nth) = found {
            taken[nth] = true;
        }
        let other = found.map(|nth| &other[nth]);
        pairs.push(Pair { name: name_of_item, this: Some(item), other });
    }
    let rest = other.iter().zip(taken).filter(|(_, taken)| !taken);
    pairs.extend(rest.map(|(item, _)| Pair { name: name(item), this: None, other: Some(item) }));
    pairs
}
