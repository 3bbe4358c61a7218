//! Reads the output of `perf stat`, and recordings of `arm-pmu stat`, and reports what was counted.

pub mod bootstrap;
pub mod compare;
pub mod csv;
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

pub use run::run;
