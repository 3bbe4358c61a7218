//! Figures of several events: a hit rate, instructions per cycle.
//!
//! Start with [`Metric`]: it names the events that it needs, and computes a [`Value`] from what was counted of
//! them. The crate of each IP has its metrics. A value is a [`Ratio`] or a [`MetricError`], never a figure from
//! counts that are not reliable.

mod about;
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
