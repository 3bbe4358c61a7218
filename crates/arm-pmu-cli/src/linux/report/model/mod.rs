//! Evaluates a recording: events with names of the tables, sums, metrics and warnings.

mod doubts;
mod evaluate;
mod metrics;
mod names;
mod parts;
mod report;
mod rows;

pub use parts::{Counter, Metric, Shares, Value, unit};
pub use report::{Given, Report};
