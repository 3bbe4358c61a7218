//! The output of `perf stat`.

pub mod parse;
pub mod plain;
pub mod recording;
