//! Comparison of two runs.

use std::collections::HashMap;

use super::model::{Counter, Metric, Report, Value};
use crate::base::number;

/// Changes from the other run to this run.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Events in the order of this run; then events that only the other run has.
    pub counters: Vec<Change>,
    /// Changes of metrics.
    pub metrics: Vec<MetricChange>,
    /// Warnings.
    pub notes: Vec<String>,
}

/// An event with its counts in both runs.
#[derive(Clone, Debug)]
pub struct Change {
    /// Name with PMU and source.
    pub name: String,
    /// Value in this run.
    pub this: Option<Value>,
    /// Value in the other run.
    pub other: Option<Value>,
    /// Counts per second in the other run and in this run.
    pub rates: Option<(f64, f64)>,
}

impl Change {
    /// The counts in the other run and in this run.
    pub fn counts(&self) -> Option<(f64, f64)> {
        let number = |value: &Option<Value>| Some(value.as_ref()?.number()?.as_f64());
        number(&self.other).zip(number(&self.this))
    }
}

/// A metric with its values in both runs, formatted.
#[derive(Clone, Debug)]
pub struct MetricChange {
    /// Name with PMU and source.
    pub name: String,
    /// Value in this run.
    pub this: String,
    /// Value in the other run.
    pub other: String,
    /// Change from the other run to this run.
    pub change: String,
    /// Values in the other run and in this run.
    pub values: Option<(f64, f64)>,
}

/// Largest relative difference of run lengths at which counts are compared without rates.
const ALIKE: f64 = 0.02;

impl Comparison {
    /// Changes from `other` to `this`.
    pub fn new(this: &Report, other: &Report) -> Self {
        let mut counters: Vec<Change> = Vec::new();
        for (name, one, another) in pairs(&this.counters, &other.counters, Counter::full_name) {
            let rates = another.and_then(Counter::mean_rate).zip(one.and_then(Counter::mean_rate));
            let total = |counter: Option<&Counter>| counter.map(|counter| counter.total);
            counters.push(Change { name, this: total(one), other: total(another), rates });
        }
        let name = |metric: &Metric| {
            let scope = metric.scope.clone().unwrap_or_default();
            format!("{} {} {scope}", metric.pmu, metric.name).trim().to_owned()
        };
        let metrics = pairs(&this.metrics, &other.metrics, name).into_iter();
        let metrics = metrics.map(|(name, one, another)| {
            let figure = |metric: Option<&Metric>| {
                metric.map_or("-".to_owned(), |metric| metric.figure(metric.total))
            };
            let values =
                another.and_then(|metric| metric.total).zip(one.and_then(|metric| metric.total));
            let change = values.map_or("-".to_owned(), |(from, to)| number::change(from, to));
            MetricChange { name, this: figure(one), other: figure(another), change, values }
        });
        let metrics = metrics.collect();
        let mut notes = Vec::new();
        notes.extend(this.notes.iter().map(|note| format!("This run: {note}")));
        notes.extend(other.notes.iter().map(|note| format!("Other run: {note}")));
        let length = |report: &Report| {
            let all = report.counters.iter().map(|counter| counter.seconds);
            all.fold(0.0, f64::max)
        };
        let (one, another) = (length(this), length(other));
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
fn pairs<'i, T>(
    one: &'i [T],
    other: &'i [T],
    name: impl Fn(&T) -> String,
) -> Vec<(String, Option<&'i T>, Option<&'i T>)> {
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
        pairs.push((name_of_item, Some(item), found.map(|nth| &other[nth])));
    }
    let rest = other.iter().zip(taken).filter(|(_, taken)| !taken);
    pairs.extend(rest.map(|(item, _)| (name(item), None, Some(item))));
    pairs
}
