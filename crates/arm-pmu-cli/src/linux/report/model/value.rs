//! Counts with their accuracy.

use crate::base::number;
use crate::base::perf_stat::recording::{Count, Number, Row};

/// A count with its accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The count.
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

    /// The number; `None` without a count.
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
            Count::Number(count) if self.is_estimate() => format!("~{}", number::number(count)),
            Count::Number(count) => number::number(count),
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
        // With a scaled count, the sum can also be too high.
        is_lower_bound: lacks && !scaled && matches!(count, Count::Number(_)),
        variance_percent: None,
    }
}
