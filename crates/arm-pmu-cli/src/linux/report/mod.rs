//! Reports the counts of `perf stat` outputs and `arm-pmu stat` recordings.

pub mod bootstrap;
pub mod compare;
pub mod csv;
mod gate;
pub mod json;
pub mod model;
pub mod record;
mod run;
pub mod runs;
pub mod sample;
pub mod svg;
pub mod table;
#[cfg(test)]
mod tests;

pub use run::{argument, run};
