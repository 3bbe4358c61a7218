//! The report as JSON; `schema/report.json` and `schema/report-against.json` describe it.

use serde::Serialize;

use super::compare::Comparison;
use super::csv::{state, unit};
use super::model;
use super::parse::Number;

/// Declares types of documents. Their schemas are only needed by tests.
macro_rules! documents {
    ($($(#[$attribute:meta])* $Name:ident { $($(#[$of:meta])* $field:ident: $Type:ty,)* })*) => { $(
        $(#[$attribute])*
        #[derive(Debug, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[cfg_attr(test, schemars(deny_unknown_fields))]
        pub struct $Name { $($(#[$of])* pub $field: $Type,)* }
    )* };
}

documents! {
    /// `arm-pmu report`
    Report {
        /// The end of each interval, from the start; empty without `perf stat -I`.
        until_seconds: Vec<f64>,
        counters: Vec<Counter>,
        metrics: Vec<Metric>,
        /// What to be careful about.
        notes: Vec<String>,
    }

    /// An event that was counted.
    Counter {
        /// Its name in the recording.
        perf_name: String,
        /// The PMU; null if the event is not known.
        pmu: Option<String>,
        /// What tells the PMU from others of its kind.
        label: Option<String>,
        /// The core or socket, where perf tells them apart.
        scope: Option<String>,
        /// The source and the name of the event; the name in the recording if it is not known.
        name: String,
        /// What one count stands for.
        unit: String,
        total: Value,
        per_second: Option<f64>,
        /// One for each interval; null where the recording has no row.
        intervals: Vec<Option<Value>>,
    }

    /// A count.
    Value {
        /// Null if it was not counted.
        value: Option<serde_json::Number>,
        /// `exact`, `estimate`, `lower_bound`, `rounded`, `not_counted` or `not_supported`.
        state: &'static str,
        running_percent: f64,
        /// Of several runs, the standard deviation of their mean.
        variance_percent: Option<f64>,
    }

    /// A figure that is computed from counts.
    Metric {
        name: String,
        pmu: String,
        scope: Option<String>,
        /// `fraction`, `ratio`, `occurrences` or `bytes`; empty for those that perf computed.
        unit: &'static str,
        formula: String,
        caveat: Option<&'static str>,
        /// Null where it divides by zero.
        total: Option<f64>,
        /// Bytes a second; null of other figures.
        per_second: Option<f64>,
        is_estimate: bool,
        intervals: Vec<Option<f64>>,
    }

    /// `arm-pmu report --against`
    Against {
        counters: Vec<Change>,
        metrics: Vec<MetricChange>,
        notes: Vec<String>,
    }

    /// An event in both runs.
    Change {
        name: String,
        this: Option<Value>,
        other: Option<Value>,
        this_per_second: Option<f64>,
        other_per_second: Option<f64>,
    }

    /// A metric in both runs.
    MetricChange {
        name: String,
        this: Option<f64>,
        other: Option<f64>,
    }
}

/// A number of JSON is any; one that is not finite does not occur.
fn number(number: Number) -> Option<serde_json::Number> {
    match number {
        Number::Integer(value) => Some(value.into()),
        Number::Decimal(value) => serde_json::Number::from_f64(value),
    }
}

fn value(value: &model::Value) -> Value {
    Value {
        value: value.number().and_then(number),
        state: state(value),
        running_percent: value.running_percent,
        variance_percent: value.variance_percent,
    }
}

/// The whole report.
pub fn report(report: &model::Report) -> Report {
    let counter = |counter: &model::Counter| Counter {
        perf_name: counter.perf.clone(),
        pmu: counter.known.as_ref().map(|known| known.pmu.to_string()),
        label: counter.known.as_ref().and_then(|known| known.label.clone()),
        scope: counter.scope.clone(),
        name: counter.name(),
        unit: counter.unit.clone(),
        total: value(&counter.total),
        per_second: counter.mean_rate(),
        intervals: counter.intervals.iter().map(|interval| interval.as_ref().map(value)).collect(),
    };
    let metric = |metric: &model::Metric| Metric {
        name: metric.name.clone(),
        pmu: metric.pmu.clone(),
        scope: metric.scope.clone(),
        unit: unit(metric),
        formula: metric.formula.clone(),
        caveat: metric.caveat,
        total: metric.total,
        per_second: metric.per_second,
        is_estimate: metric.is_estimate,
        intervals: metric.intervals.clone(),
    };
    Report {
        until_seconds: report.times.iter().map(|time| *time as f64 / 1e9).collect(),
        counters: report.counters.iter().map(counter).collect(),
        metrics: report.metrics.iter().map(metric).collect(),
        notes: report.notes.clone(),
    }
}

/// The comparison.
pub fn against(comparison: &Comparison) -> Against {
    let counters = comparison.counters.iter().map(|change| {
        let (other_per_second, this_per_second) = change.rates.unzip();
        Change {
            name: change.name.clone(),
            this: change.this.as_ref().map(value),
            other: change.other.as_ref().map(value),
            this_per_second,
            other_per_second,
        }
    });
    let metrics = comparison.metrics.iter().map(|change| {
        let (other, this) = change.values.unzip();
        MetricChange { name: change.name.clone(), this, other }
    });
    Against {
        counters: counters.collect(),
        metrics: metrics.collect(),
        notes: comparison.notes.clone(),
    }
}
