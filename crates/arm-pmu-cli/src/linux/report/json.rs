//! The report as JSON; `schema/report.json`, `report-against.json` and `report-runs.json` describe it.

use crate::base::documents::documents;
use serde::Serialize;

use super::bootstrap::{FEWEST_RUNS, Interval, PERCENT, RESAMPLES, SEED};
use super::compare::Comparison;
use super::csv::{kind, state, unit, unit_of};
use super::runs::Summary;
use super::{model, runs};
use crate::base::perf_stat::recording::Number;

documents! {
    derive(Debug, Serialize)

    /// `arm-pmu report`
    Report {
        /// The end of each interval, from the start; empty without `perf stat -I`.
        until_seconds: Vec<f64>,
        counters: Vec<Counter>,
        metrics: Vec<Metric>,
        /// Warnings.
        notes: Vec<String>,
    }

    /// An event that was counted.
    Counter {
        /// Its name in the recording.
        perf_name: String,
        /// The PMU; null if the event is not known.
        pmu: Option<String>,
        /// Distinguishes the PMU from others of its kind.
        label: Option<String>,
        /// The core or socket, where perf tells them apart.
        scope: Option<String>,
        /// The source and the name of the event; the name in the recording if it is not known.
        name: String,
        /// The unit of one count.
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
        /// For several runs, the standard deviation of their mean.
        variance_percent: Option<f64>,
    }

    /// A figure that is computed from counts.
    Metric {
        name: String,
        pmu: String,
        scope: Option<String>,
        /// `fraction`, `ratio`, `occurrences` or `bytes`; empty for metrics that perf computed.
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

    /// `arm-pmu report --against` of two recordings, and `arm-pmu stat --compare`
    Runs {
        this: Side,
        other: Side,
        /// Whether the programs were run in turn, in pairs.
        in_pairs: bool,
        /// Number of resamples of the bootstrap.
        resamples: usize,
        /// The seed of its random numbers.
        seed: u64,
        /// Confidence level of the intervals, in percent.
        interval_percent: u32,
        /// Fewest runs of each side that give a verdict.
        fewest_runs: usize,
        rows: Vec<RunsRow>,
        notes: Vec<String>,
    }

    /// The runs of one program.
    Side {
        /// The program with its arguments.
        command: String,
        /// Number of complete runs.
        runs: usize,
    }

    /// Something that was measured in each run.
    RunsRow {
        name: String,
        /// `seconds`, `count` or `metric`.
        kind: &'static str,
        /// For a metric, `fraction`, `ratio`, `occurrences` or `bytes`; otherwise empty.
        unit: &'static str,
        /// Null if it was not counted.
        this: Option<Summary>,
        other: Option<Summary>,
        /// Difference of the medians, from the other runs to these.
        difference: Option<f64>,
        /// Interval of the difference; null with too few runs.
        interval: Option<Interval>,
        /// `higher`, `lower`, `not_shown` or `too_few_runs`.
        verdict: &'static str,
    }
}

/// A JSON number; values that are not finite do not occur.
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
        pmu: counter.known.as_ref().map(|known| known.pmu_name()),
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

/// The comparison of many runs.
pub fn runs(comparison: &runs::Comparison) -> Runs {
    let side = |side: &runs::Side| Side { command: side.command.clone(), runs: side.runs };
    let row = |row: &runs::Row| RunsRow {
        name: row.name.clone(),
        kind: kind(row.kind),
        unit: match row.kind {
            runs::Kind::Metric(measure) => measure.map_or("", unit_of),
            _ => "",
        },
        this: row.this,
        other: row.other,
        difference: row.difference(),
        interval: row.interval,
        verdict: row.verdict.key(),
    };
    Runs {
        this: side(&comparison.this),
        other: side(&comparison.other),
        in_pairs: comparison.in_pairs,
        resamples: RESAMPLES,
        seed: SEED,
        interval_percent: PERCENT,
        fewest_runs: FEWEST_RUNS,
        rows: comparison.rows.iter().map(row).collect(),
        notes: comparison.notes.clone(),
    }
}
