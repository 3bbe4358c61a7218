//! The counts of one run, and their rows in a report.

use serde::{Deserialize, Serialize};

use crate::base::documents::documents;
use crate::base::perf_stat::recording::{Count, Number, Row};

documents! {
    derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)

    /// Count of an event.
    #[cfg_attr(test, schemars(rename = "Count"))]
    Sample {
        /// The count; null without one. If the event shared a counter, the count is scaled to the whole time.
        count: Option<u64>,
        /// Share of the time in which the event was on a counter.
        share: f64,
    }
}

impl Sample {
    /// Sample without a count.
    pub const NOT_COUNTED: Self = Self { count: None, share: 0.0 };
}

/// Row of a report for one sample.
pub fn row(name: String, sample: Sample, seconds: f64, until: Option<u64>) -> Row {
    let number = |count| Count::Number(Number::Integer(count));
    Row {
        nanoseconds: until,
        count: sample.count.map_or(Count::NotCounted, number),
        event: name,
        running_nanoseconds: (seconds * sample.share * 1e9) as u64,
        running_percent: sample.share * 100.0,
        ..Row::default()
    }
}

/// Returns a report's row for the mean of several runs.
pub fn mean_row(name: &str, samples: &[Sample], seconds: f64) -> Row {
    let counts: Option<Vec<_>> = samples.iter().map(|sample| sample.count).collect();
    let share = samples.iter().map(|sample| sample.share).fold(1.0, f64::min);
    let first = samples.first().copied().unwrap_or(Sample::NOT_COUNTED);
    let mut row = row(name.to_owned(), Sample { share, ..first }, seconds, None);
    match counts.as_deref() {
        // For a single run, the mean is the count itself, with all its digits.
        Some([_]) => {}
        Some(counts) => {
            let numbers: Vec<_> = counts.iter().map(|count| *count as f64).collect();
            let (mean, variance) = mean(&numbers);
            row.count = Count::Number(Number::Decimal(mean));
            row.variance_percent = variance;
        }
        None => row.count = Count::NotCounted,
    }
    row
}

/// Mean of several runs, and its standard deviation in percent.
pub fn mean(numbers: &[f64]) -> (f64, Option<f64>) {
    let runs = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / runs;
    if numbers.len() < 2 || mean == 0.0 {
        return (mean, None);
    }
    let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
    let of_mean = (squares / (runs - 1.0) / runs).sqrt();
    (mean, Some(of_mean / mean * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_runs_give_a_mean_and_its_deviation() {
        assert_eq!(mean(&[7.0]), (7.0, None));
        let (middle, percent) = mean(&[9.0, 11.0]);
        // The values have a standard deviation of sqrt(2), so the standard error of the mean is 1, or 10 %.
        assert!((middle - 10.0).abs() < 1e-9 && percent.is_some_and(|of| (of - 10.0).abs() < 1e-9));
    }
}
