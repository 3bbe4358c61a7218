//! Metrics: values computed from several events, such as a hit rate.
//!
//! Start with [`Metric`], which lists the events that it needs, and computes a [`Value`] from their counts.
//! The crate of each IP contains the metrics of that IP. A value is a [`Ratio`] or a [`MetricError`]. The
//! value is an error if a count is invalid.
//!
//! [Example](Metric)

mod about;
mod define;
mod error;
mod metric;
mod ratio;
mod unit;
mod value;

pub use about::{About, UnavailableMetric};
pub use error::MetricError;
pub use metric::{Explained, Inputs, MOST_INPUTS, Metric};
pub use ratio::{Ratio, Term};
pub use unit::MetricUnit;
pub use value::{Figure, Value};

pub(crate) use ratio::Decimal;
