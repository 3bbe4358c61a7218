//! The report as CSV: one line for each event in each interval, and one for each sum.

use arm_pmu_lookup::export::csv::line;

use super::compare::Comparison;
use super::model::{Counter, Metric, Report, Value};
use super::runs::{self, Summary};
use crate::base::perf_stat::recording::{Count, Number};

/// Header line with the names of the columns.
pub const HEAD: &str =
    "kind,until_seconds,pmu,scope,name,perf_name,unit,value,state,running_percent\n";

/// The whole report. `until_seconds` is empty in the lines of sums.
pub fn write(report: &Report) -> String {
    let intervals = (0..report.times.len()).map(Some);
    let lines = intervals.chain([None]).map(|interval| lines(report, interval));
    HEAD.to_owned() + &lines.collect::<String>()
}

/// The lines of one interval, or of the sums.
pub fn lines(report: &Report, interval: Option<usize>) -> String {
    let until = interval.map(|nth| seconds(report.times[nth])).unwrap_or_default();
    let of_counter = |one: &Counter| {
        let value = match interval {
            Some(nth) => one.intervals.get(nth).copied().flatten()?,
            None => one.total,
        };
        let (pmu, name, number) = (one.pmu(), one.name(), of_value(&value));
        let (scope, running) = (scope(&one.scope), format!("{:.2}", value.running_percent));
        let front = ["count", &until, &pmu, scope, &name, &one.perf, &one.unit, &number];
        Some(line(&[&front[..], &[state(&value), &running]].concat()))
    };
    let of_metric = |one: &Metric| {
        let value = match interval {
            Some(nth) => one.intervals.get(nth).copied().flatten()?,
            None => one.total?,
        };
        let state = if one.is_estimate { "estimate" } else { "exact" };
        let (scope, number) = (scope(&one.scope), value.to_string());
        let front = ["metric", &until, &one.pmu, scope, &one.name, "", one.unit, &number];
        Some(line(&[&front[..], &[state, ""]].concat()))
    };
    let counters = report.counters.iter().filter_map(of_counter);
    counters.chain(report.metrics.iter().filter_map(of_metric)).collect()
}

fn scope(scope: &Option<String>) -> &str {
    scope.as_deref().unwrap_or_default()
}

/// CSV of a comparison of two runs.
pub fn compare(comparison: &Comparison<'_>) -> String {
    let mut text = "kind,name,this_run,other_run,this_per_second,other_per_second\n".to_owned();
    for row in &comparison.counters {
        let value = |one: Option<&Counter>| one.map(|one| of_value(&one.total)).unwrap_or_default();
        let (other, this) = row.numbers(Counter::mean_rate).unzip();
        let (this, other) = (number(this), number(other));
        text += &line(&["count", &row.name, &value(row.this), &value(row.other), &this, &other]);
    }
    for row in &comparison.metrics {
        let (other, this) = row.numbers(|metric| metric.total).unzip();
        text += &line(&["metric", &row.name, &number(this), &number(other), "", ""]);
    }
    text
}

/// CSV of a comparison of many runs.
pub fn runs(comparison: &runs::Comparison) -> String {
    let mut text = "kind,name,this_runs,this_median,this_lowest,this_highest,other_runs,other_median,other_lowest,\
                    other_highest,difference,interval_low,interval_high,verdict\n"
        .to_owned();
    for row in &comparison.rows {
        let side = |side: Option<Summary>| match side {
            Some(Summary { runs, median, lowest, highest, .. }) => {
                [runs.to_string(), median.to_string(), lowest.to_string(), highest.to_string()]
            }
            None => ["0".to_owned(), String::new(), String::new(), String::new()],
        };
        let mut cells = vec![row.kind.to_owned(), row.name.clone()];
        cells.extend(side(row.this));
        cells.extend(side(row.other));
        let (low, high) = row.interval.map(|interval| (interval.low, interval.high)).unzip();
        cells.extend([row.difference, low, high].map(number));
        cells.push(row.verdict.word().to_owned());
        text += &line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    text
}

/// State of a count in CSV and JSON.
pub fn state(value: &Value) -> &'static str {
    match value.count {
        Count::NotCounted => "not_counted",
        Count::NotSupported => "not_supported",
        Count::Number(_) if value.is_lower_bound => "lower_bound",
        Count::Number(_) if value.is_estimate() => "estimate",
        Count::Number(number) if number.may_be_rounded() => "rounded",
        Count::Number(_) => "exact",
    }
}

fn of_value(value: &Value) -> String {
    match value.number() {
        None => String::new(),
        Some(Number::Integer(value)) => value.to_string(),
        Some(Number::Decimal(value)) => value.to_string(),
    }
}

fn number(number: Option<f64>) -> String {
    number.map(|one| one.to_string()).unwrap_or_default()
}

fn seconds(nanoseconds: u64) -> String {
    format!("{}.{:09}", nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
}
