//! The report as JSON. `schema/report.json`, `report-against.json` and `report-runs.json` describe the format.

use crate::base::documents::documents;
use serde::Serialize;

use super::bootstrap::{FEWEST_RUNS, Interval, PERCENT, RESAMPLES, SEED};
use super::compare::Comparison;
use super::csv::state;
use super::model::unit;
use super::runs::{Row, Side};
use super::{gate, model, runs};
use crate::base::perf_stat::recording::Number;

documents! {
    derive(Debug, Serialize)

    /// Output of `arm-pmu report --json`.
    Report {
        /// End of each interval, in seconds from the start; empty without `perf stat -I`.
        until_seconds: Vec<f64>,
        counters: Vec<Counter>,
        metrics: Vec<Metric>,
        /// Level 1 of top-down for each core, or the stalled shares of cycles if the core has no slot events.
        topdown: Vec<Topdown>,
        /// Warnings.
        notes: Vec<String>,
    }

    /// A counted event.
    Counter {
        /// Name of the event in the recording.
        perf_name: String,
        /// PMU of the event; null if the event is unknown.
        pmu: Option<String>,
        /// Distinguishes the PMU from others of the same IP.
        label: Option<String>,
        /// Core or socket, if perf counted them separately.
        scope: Option<String>,
        /// Source and name of the event; the name in the recording if the event is unknown.
        name: String,
        /// The unit of one count.
        unit: String,
        total: Value,
        per_second: Option<f64>,
        /// Value of each interval; null if the recording has no row for it.
        intervals: Vec<Option<Value>>,
    }

    /// A count.
    Value {
        /// The count; null without one.
        value: Option<serde_json::Number>,
        /// `exact`, `estimate`, `lower_bound`, `rounded`, `not_counted` or `not_supported`.
        state: &'static str,
        running_percent: f64,
        /// Standard deviation of the mean, if there are several runs.
        variance_percent: Option<f64>,
    }

    /// A metric, computed from counts.
    Metric {
        name: String,
        pmu: String,
        scope: Option<String>,
        /// `fraction`, `ratio`, `occurrences` or `bytes`; empty for metrics that perf computed.
        unit: &'static str,
        formula: String,
        caveat: Option<&'static str>,
        /// Value over the whole time; null on division by zero.
        total: Option<f64>,
        /// Bytes per second; null for metrics in other units.
        per_second: Option<f64>,
        is_estimate: bool,
        intervals: Vec<Option<f64>>,
    }

    /// Level 1 of top-down, computed from metrics that are also in `metrics`.
    Topdown {
        pmu: String,
        /// Unit of the whole: `slots` or `cycles`.
        shares_of: &'static str,
        names: Vec<&'static str>,
        sum: f64,
        largest: &'static str,
        /// Command that measures the causes of the largest share.
        next: Option<String>,
    }

    /// Output of `arm-pmu report OLD NEW`.
    Against {
        counters: Vec<Change>,
        metrics: Vec<MetricChange>,
        notes: Vec<String>,
    }

    /// An event with its counts in both runs.
    Change {
        name: String,
        this: Option<Value>,
        other: Option<Value>,
        this_per_second: Option<f64>,
        other_per_second: Option<f64>,
    }

    /// A metric with its values in both runs.
    MetricChange {
        name: String,
        this: Option<f64>,
        other: Option<f64>,
    }

    /// Comparison of many runs: two recordings, or the programs of `arm-pmu stat --compare`.
    Runs {
        this: Side,
        other: Side,
        /// Whether the programs ran alternately, in pairs.
        in_pairs: bool,
        /// Number of resamples of the bootstrap.
        resamples: usize,
        /// Seed of the random numbers.
        seed: u64,
        /// Confidence level of the intervals, in percent.
        interval_percent: u32,
        /// Minimum number of runs of each side for a verdict.
        fewest_runs: usize,
        rows: Vec<Row>,
        /// Results of the conditions of `--fail-if`.
        conditions: Vec<Condition>,
        notes: Vec<String>,
    }

    /// A condition of `--fail-if`.
    Condition {
        /// The condition as given.
        condition: String,
        /// `exceeded`, `not_exceeded`, `undecided` or `not_judged`.
        outcome: &'static str,
        /// Reason why the condition is not judged; null otherwise.
        reason: Option<String>,
        /// Confidence interval of the change, in the unit of the limit.
        interval: Option<Interval>,
        /// Confidence level of the interval, in percent.
        interval_percent: f64,
    }

}

/// Converts a number; infinite values and NaN do not occur.
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

/// JSON of a whole report.
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
        unit: unit(metric.measure),
        formula: metric.formula.clone(),
        caveat: metric.caveat,
        total: metric.total,
        per_second: metric.per_second,
        is_estimate: metric.is_estimate,
        intervals: metric.intervals.clone(),
    };
    let topdown = |of: &model::Shares| Topdown {
        pmu: of.pmu.clone(),
        shares_of: if of.of_slots { "slots" } else { "cycles" },
        names: of.rows.iter().map(|(name, _)| *name).collect(),
        sum: of.sum(),
        largest: of.largest(),
        next: of.next.clone(),
    };
    Report {
        until_seconds: report.times.iter().map(|time| *time as f64 / 1e9).collect(),
        counters: report.counters.iter().map(counter).collect(),
        metrics: report.metrics.iter().map(metric).collect(),
        topdown: report.shares.iter().map(topdown).collect(),
        notes: report.notes.clone(),
    }
}

/// JSON of a comparison of two runs.
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

/// JSON of a comparison of many runs, with the results of conditions.
pub fn runs(comparison: &runs::Comparison, judged: &[gate::Judged]) -> Runs {
    let condition = |one: &gate::Judged| Condition {
        condition: one.text.clone(),
        outcome: one.outcome.key(),
        reason: match &one.outcome {
            gate::Outcome::NotJudged(reason) => Some(reason.clone()),
            _ => None,
        },
        interval: one.interval,
        interval_percent: gate::level(judged.len()),
    };
    Runs {
        this: comparison.this.clone(),
        other: comparison.other.clone(),
        in_pairs: comparison.in_pairs,
        resamples: RESAMPLES,
        seed: SEED,
        interval_percent: PERCENT,
        fewest_runs: FEWEST_RUNS,
        rows: comparison.rows.clone(),
        conditions: judged.iter().map(condition).collect(),
        notes: comparison.notes.clone(),
    }
}
