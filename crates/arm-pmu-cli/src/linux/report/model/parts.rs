//! Parts of a report: counts with their accuracy, events, metrics and level 1 of top-down.

use std::ops::Range;

use arm_pmu_lookup::perf_name::PerfName;
use arm_pmu_tables::Measure;
use serde::Serialize;

use crate::base::documents::documents;
use crate::base::number;
use crate::base::perf_stat::recording::{Count, Number, Row};

/// A count with its accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    pub count: Count,
    /// Percentage of the time that the event was on a counter.
    pub running_percent: f64,
    /// Whether the count is a lower bound, because intervals are missing.
    pub is_lower_bound: bool,
    /// Standard deviation of the mean of several runs, in percent.
    pub variance_percent: Option<f64>,
}

impl Value {
    pub(super) fn of(row: &Row) -> Self {
        let Row { count, running_percent, variance_percent, .. } = *row;
        Self { count, running_percent, is_lower_bound: false, variance_percent }
    }

    pub fn number(&self) -> Option<Number> {
        match self.count {
            Count::Number(number) => Some(number),
            Count::NotCounted | Count::NotSupported => None,
        }
    }

    /// Whether `perf` scaled the count, because the event was on a counter for only a part of the time.
    pub fn is_estimate(&self) -> bool {
        self.number().is_some() && self.running_percent < 100.0
    }

    /// A count with its mark: `~` for an estimate, `>=` for a lower bound.
    pub fn text(&self) -> String {
        match self.count {
            Count::NotCounted => "not counted".to_owned(),
            Count::NotSupported => "not supported".to_owned(),
            Count::Number(count) if self.is_lower_bound => format!(">={}", number::number(count)),
            Count::Number(count) => number::marked(self.is_estimate(), number::number(count)),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.number().is_some_and(|number| number.as_f64() == 0.0)
    }
}

/// Sum of the values of several intervals.
pub(super) fn sum(intervals: &[Option<Value>], seconds: &[f64]) -> Value {
    let numbers = intervals.iter().filter_map(|value| value.as_ref()?.number());
    let count = match numbers.reduce(Number::plus) {
        Some(number) => Count::Number(number),
        None => {
            let refused = |value: &Option<Value>| {
                value.is_some_and(|value| value.count == Count::NotSupported)
            };
            if intervals.iter().any(refused) { Count::NotSupported } else { Count::NotCounted }
        }
    };
    let lacks = intervals.iter().any(|value| value.is_none_or(|value| value.number().is_none()));
    let scaled = intervals.iter().flatten().any(Value::is_estimate);
    let all: f64 = seconds.iter().sum();
    let running = intervals.iter().zip(seconds).map(|(value, seconds)| {
        value
            .map_or(0.0, |value| if value.number().is_some() { value.running_percent } else { 0.0 })
            * seconds
    });
    // A computed sum of fractions can be slightly below 100.
    let whole = all <= 0.0 || !lacks && !scaled;
    Value {
        count,
        running_percent: if whole { 100.0 } else { (running.sum::<f64>() / all).min(100.0) },
        // A sum with a scaled count can also be too high.
        is_lower_bound: lacks && !scaled && matches!(count, Count::Number(_)),
        variance_percent: None,
    }
}

/// An event with its counts over time.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Name in the recording.
    pub perf: String,
    /// Event in the tables, if known.
    pub known: Option<PerfName>,
    /// Core, if `perf` counted cores separately.
    pub scope: Option<String>,
    pub unit: String,
    /// Sum of all intervals, or the only value.
    pub total: Value,
    /// Length of all intervals that have counts, or of the run, in seconds; 0 if unknown.
    pub seconds: f64,
    /// Value of each interval; `None` if the recording has no row for it.
    pub intervals: Vec<Option<Value>>,
    /// Indices of the intervals that belong to the counter's run.
    pub(super) of_run: Range<usize>,
}

impl Counter {
    /// Name such as `S3:READ_REQUEST_ANY`, or the name in the recording.
    pub fn name(&self) -> String {
        self.known.as_ref().map_or_else(|| self.perf.clone(), |known| known.what.to_string())
    }

    /// Whether the count is for one of several counted streams.
    pub(super) fn is_of_stream(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.stream().is_some())
    }

    /// Kernel name of the PMU, if the event name contains it; otherwise empty.
    pub(super) fn device(&self) -> &str {
        device(&self.perf).unwrap_or_default()
    }

    /// PMU with its label: `mmu600:tbu smmuv3_pmcg_5f320`; empty if unknown.
    pub fn pmu(&self) -> String {
        self.known.as_ref().map(PerfName::labelled_pmu).unwrap_or_default()
    }

    /// Name with the PMU and, if there is one, the core: `cci400:r1 S3:READ_REQUEST_ANY`.
    pub fn full_name(&self) -> String {
        full_name(&self.pmu(), &self.name(), self.scope.as_deref())
    }

    /// Count over the whole time.
    pub fn count(&self) -> Option<f64> {
        self.total.number().map(Number::as_f64)
    }

    /// Counts per second over the whole time.
    pub fn mean_rate(&self) -> Option<f64> {
        self.count().filter(|_| self.seconds > 0.0).map(|count| count / self.seconds)
    }

    /// Whether some intervals are missing in the sum.
    pub(super) fn lacks_intervals(&self) -> bool {
        let own = &self.intervals[self.of_run.clone()];
        let mut numbers = own.iter().map(|value| value.and_then(|value| value.number()));
        self.total.number().is_some() && numbers.any(|number| number.is_none())
    }

    /// Whether the PMU counts for the whole system.
    pub fn is_of_interconnect(&self) -> bool {
        self.known.as_ref().is_some_and(|known| {
            known.pmu.ip.main_id.is_none()
                && known.pmu.ip.units.iter().all(|unit| unit.main_id.is_none())
        })
    }
}

pub(super) fn counter_of(row: &Row, known: Option<PerfName>) -> Counter {
    let unit = match &known {
        Some(known) if row.unit.is_empty() => known.what.unit().to_owned(),
        _ => row.unit.clone(),
    };
    Counter {
        perf: row.event.clone(),
        known,
        scope: row.scope.clone(),
        unit,
        total: Value::of(row),
        seconds: 0.0,
        intervals: Vec::new(),
        of_run: 0..0,
    }
}

pub(super) fn is_cycles(counter: &Counter) -> bool {
    counter.known.as_ref().is_some_and(|known| known.what.is_cycles())
}

/// Kernel name of the PMU in an event name.
pub(super) fn device(event: &str) -> Option<&str> {
    event.split_once(['/', '.']).map(|(device, _)| device)
}

documents! {
    derive(Clone, Debug, Serialize)

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
        /// The metric in the tables; `None` for a metric of `perf`.
        #[serde(skip)]
        of: Option<&'static arm_pmu_tables::Metric>,
    }
}

fn full_name(pmu: &str, name: &str, scope: Option<&str>) -> String {
    let parts = [pmu, name, scope.unwrap_or_default()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Metric {
    /// Name with the PMU and, if there is one, the core.
    pub fn full_name(&self) -> String {
        full_name(&self.pmu, &self.name, self.scope.as_deref())
    }

    pub fn measure(&self) -> Option<Measure> {
        self.of.map(|of| of.measure)
    }

    /// Formats a value with its unit.
    pub fn figure(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "-".to_owned() };
        number::marked(self.is_estimate, number::measured(self.measure(), value))
    }
}

/// Unit of a metric in CSV and JSON; `fraction` for percentages: 0.5 is 50 %.
pub fn unit(measure: Option<Measure>) -> &'static str {
    match measure {
        None => "",
        Some(Measure::Percent | Measure::PerThousand) => "fraction",
        Some(measure) => measure.word(),
    }
}

/// Level 1 of top-down for a core. The largest share shows what to measure next.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Name of the PMU, followed by the core if `perf` counted cores separately.
    pub pmu: String,
    /// True if the rows are shares of all slots, with a sum of 1; false if each row is a share of cycles that were
    /// stalled.
    pub of_slots: bool,
    /// Name and value of each share, as a fraction of 1.
    pub rows: Vec<(&'static str, f64)>,
    pub is_estimate: bool,
    /// Command that shows why the largest share of slots or cycles is so large.
    pub next: Option<String>,
}

impl Shares {
    pub fn largest(&self) -> &'static str {
        largest(&self.rows).map_or("", |(name, _)| name)
    }

    pub fn sum(&self) -> f64 {
        self.rows.iter().map(|(_, share)| share).sum()
    }
}

pub(super) fn largest<T>(rows: &[(T, f64)]) -> Option<&(T, f64)> {
    rows.iter().max_by(|one, other| one.1.total_cmp(&other.1))
}
