//! Evaluates a recording: events with names of the tables, sums, metrics and warnings.

mod clusters;
mod counter;
mod doubts;
mod evaluate;
mod given;
mod metric;
mod metrics;
mod names;
mod report;
mod rows;
mod shares;
mod topdown;
mod value;

pub use counter::Counter;
pub use given::Given;
pub use metric::Metric;
pub use report::Report;
pub use shares::Shares;
pub use value::Value;
