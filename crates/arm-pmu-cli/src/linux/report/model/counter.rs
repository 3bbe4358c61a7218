//! Events with their counts.

use std::ops::Range;

use arm_pmu_lookup::perf_name::PerfName;

use super::value::Value;
use crate::base::perf_stat::recording::Row;

/// An event with its counts over time.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Name in the recording.
    pub perf: String,
    /// Event in the tables, if known.
    pub known: Option<PerfName>,
    /// Core, if `perf` counted cores separately.
    pub scope: Option<String>,
    /// The unit of one count, if known.
    pub unit: String,
    /// Sum of all intervals, or the only value.
    pub total: Value,
    /// Seconds of the intervals with counts, or of the run; 0 if unknown.
    pub seconds: f64,
    /// Value of each interval; `None` if the recording has no row for it.
    pub intervals: Vec<Option<Value>>,
    /// Intervals of the counter's run.
    pub(super) of_run: Range<usize>,
}

impl Counter {
    /// Name such as `S3:READ_REQUEST_ANY`, or the name in the recording.
    pub fn name(&self) -> String {
        self.known.as_ref().map_or_else(|| self.perf.clone(), |known| known.what.to_string())
    }

    /// Whether the count is one of several for different streams.
    pub(super) fn is_of_stream(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.stream().is_some())
    }

    /// Kernel name of the PMU in the event name; empty without one.
    pub(super) fn device(&self) -> &str {
        device(&self.perf).unwrap_or_default()
    }

    /// PMU with its label: `mmu600:tbu smmuv3_pmcg_5f320`; empty if unknown.
    pub fn pmu(&self) -> String {
        self.known.as_ref().map(PerfName::labelled_pmu).unwrap_or_default()
    }

    /// Name with the PMU and, if there is one, the core: `cci400:r1 S3:READ_REQUEST_ANY`.
    pub fn full_name(&self) -> String {
        let scope = self.scope.as_deref().unwrap_or_default();
        let parts = [self.pmu(), self.name(), scope.to_owned()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Counts per second over the whole time.
    pub fn mean_rate(&self) -> Option<f64> {
        let number = self.total.number()?;
        if self.seconds > 0.0 { Some(number.as_f64() / self.seconds) } else { None }
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
