//! Evaluates a recording: finds its events in the tables, and adds sums, metrics and warnings.

mod doubts;
mod evaluate;
mod metrics;
mod names;
mod parts;
mod report;
mod rows;

pub use parts::{Counter, Metric, Shares, Value, unit};
pub use report::{Given, Report};
