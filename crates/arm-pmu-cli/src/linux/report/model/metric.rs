//! Metrics with their values.

use arm_pmu_tables::Measure;

use crate::base::number;

/// A metric computed from counts.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Name such as `SNOOP_HIT_RATE:S3`, or a name of `perf`.
    pub name: String,
    /// PMU of the metric's events.
    pub pmu: String,
    /// Core, if `perf` counted cores separately.
    pub scope: Option<String>,
    /// The metric in our tables; none for a metric of `perf`.
    pub of: Option<&'static arm_pmu_tables::Metric>,
    /// Unit; `None` for a metric of `perf`.
    pub measure: Option<Measure>,
    /// Formula, or the event on whose line `perf` prints the metric.
    pub formula: String,
    /// Restriction on the meaning of the metric.
    pub caveat: Option<&'static str>,
    /// Value over the whole time; `None` on division by zero.
    pub total: Option<f64>,
    /// Bytes per second.
    pub per_second: Option<f64>,
    /// Whether one of the counts is an estimate.
    pub is_estimate: bool,
    /// Value in each interval.
    pub intervals: Vec<Option<f64>>,
}

impl Metric {
    /// Formats a value with its unit.
    pub fn figure(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "-".to_owned() };
        let mark = if self.is_estimate { "~" } else { "" };
        format!("{mark}{}", number::measured(self.measure, value))
    }
}
