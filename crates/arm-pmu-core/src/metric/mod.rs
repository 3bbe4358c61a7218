//! Figures that are computed from counts.

mod explain;
mod metric;
mod ratio;
mod value;

pub use explain::Explained;
pub use metric::{About, Inputs, MOST_INPUTS, Metric, MetricUnit, UnavailableMetric};
pub use ratio::{Ratio, Term};
pub use value::{Figure, MetricError, Value};

pub(crate) use ratio::Decimal;
