//! The report as JSON. `schema/report.json`, `report-against.json` and `report-runs.json` describe the format.

use serde::Serialize;

use super::bootstrap::{FEWEST_RUNS, PERCENT, RESAMPLES, SEED};
use super::compare;
use super::csv::state;
use super::gate::Judged;
use super::model;
use super::runs::{Comparison, Row, Side};
use crate::base::documents::documents;
use crate::base::perf_stat::recording::Number;

documents! {
    derive(Debug, Serialize)

    /// Output of `arm-pmu report --json`.
    Report(report: &model::Report) {
        /// End of each interval, in seconds from the start; empty without `perf stat -I`.
        until_seconds: Vec<f64> = report.times.iter().map(|time| *time as f64 / 1e9).collect(),
        counters: Vec<Counter> = report.counters.iter().map(Counter::new).collect(),
        metrics: Vec<model::Metric> = report.metrics.clone(),
        /// Level 1 of top-down for each core, or the stalled shares of cycles if the core has no slot events.
        topdown: Vec<Topdown> = report.shares.iter().map(Topdown::new).collect(),
        /// Warnings.
        notes: Vec<String> = report.notes.clone(),
    }

    /// A counted event.
    Counter(counter: &model::Counter) {
        /// Name of the event in the recording.
        perf_name: String = counter.perf.clone(),
        /// PMU of the event; null if the event is unknown.
        pmu: Option<String> = counter.known.as_ref().map(|known| known.pmu_name()),
        /// Distinguishes the PMU from others of the same IP.
        label: Option<String> = counter.known.as_ref().and_then(|known| known.label.clone()),
        /// Core or socket, if perf counted them separately.
        scope: Option<String> = counter.scope.clone(),
        /// Source and name of the event; the name in the recording if the event is unknown.
        name: String = counter.name(),
        /// The unit of one count.
        unit: String = counter.unit.clone(),
        total: Value = Value::new(&counter.total),
        per_second: Option<f64> = counter.mean_rate(),
        /// Value of each interval; null if the recording has no row for it.
        intervals: Vec<Option<Value>> =
            counter.intervals.iter().map(|interval| interval.as_ref().map(Value::new)).collect(),
    }

    /// A count.
    Value(value: &model::Value) {
        /// The count; null without one.
        value: Option<serde_json::Number> = value.number().and_then(number),
        /// `exact`, `estimate`, `lower_bound`, `rounded`, `not_counted` or `not_supported`.
        state: &'static str = state(value),
        running_percent: f64 = value.running_percent,
        /// Standard deviation of the mean, if there are several runs.
        variance_percent: Option<f64> = value.variance_percent,
    }

    /// Level 1 of top-down, computed from metrics that are also in `metrics`.
    Topdown(of: &model::Shares) {
        pmu: String = of.pmu.clone(),
        /// Denominator of the shares: `slots` or `cycles`.
        shares_of: &'static str = if of.of_slots { "slots" } else { "cycles" },
        names: Vec<&'static str> = of.rows.iter().map(|(name, _)| *name).collect(),
        sum: f64 = of.sum(),
        largest: &'static str = of.largest(),
        /// Command that shows why the largest share of slots or cycles is so large.
        next: Option<String> = of.next.clone(),
    }

    /// Output of `arm-pmu report OLD NEW`.
    Against(comparison: &compare::Comparison<'_>) {
        counters: Vec<Change> = comparison.counters.iter().map(Change::new).collect(),
        metrics: Vec<MetricChange> = comparison.metrics.iter().map(MetricChange::new).collect(),
        notes: Vec<String> = comparison.notes.clone(),
    }

    /// An event with its counts in both runs.
    Change(change: &compare::Pair<'_, model::Counter>) {
        name: String = change.name.clone(),
        this: Option<Value> = change.this.map(|one| Value::new(&one.total)),
        other: Option<Value> = change.other.map(|one| Value::new(&one.total)),
        this_per_second: Option<f64> = change.numbers(model::Counter::mean_rate).map(|(_, this)| this),
        other_per_second: Option<f64> = change.numbers(model::Counter::mean_rate).map(|(other, _)| other),
    }

    /// A metric with its values in both runs.
    MetricChange(change: &compare::Pair<'_, model::Metric>) {
        name: String = change.name.clone(),
        this: Option<f64> = change.numbers(|metric| metric.total).map(|(_, this)| this),
        other: Option<f64> = change.numbers(|metric| metric.total).map(|(other, _)| other),
    }

    /// Comparison of the runs of two recordings, or of the programs of `arm-pmu stat --compare`.
    Runs(comparison: &Comparison, judged: &[Judged]) {
        this: Side = comparison.this.clone(),
        other: Side = comparison.other.clone(),
        /// Whether the programs ran alternately, in pairs.
        in_pairs: bool = comparison.in_pairs,
        /// Number of resamples of the bootstrap.
        resamples: usize = RESAMPLES,
        /// Seed of the random numbers.
        seed: u64 = SEED,
        /// Confidence level of the intervals, in percent.
        interval_percent: u32 = PERCENT,
        /// Minimum number of runs that each side needs for a verdict.
        fewest_runs: usize = FEWEST_RUNS,
        rows: Vec<Row> = comparison.rows.clone(),
        /// Results of the conditions of `--fail-if`.
        conditions: Vec<Judged> = judged.to_vec(),
        notes: Vec<String> = comparison.notes.clone(),
    }
}

/// Converts a number; infinite values and NaN do not occur.
fn number(number: Number) -> Option<serde_json::Number> {
    match number {
        Number::Integer(value) => Some(value.into()),
        Number::Decimal(value) => serde_json::Number::from_f64(value),
    }
}
