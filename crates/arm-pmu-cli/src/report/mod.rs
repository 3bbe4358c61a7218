//! Reads the output of `perf stat`, and reports what was counted.

pub mod compare;
pub mod csv;
pub mod json;
pub mod model;
pub mod number;
pub mod parse;
pub mod svg;
pub mod table;
#[cfg(test)]
mod tests;
