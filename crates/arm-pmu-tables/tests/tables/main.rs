//! Tests the tables: lookup, consistency, metric values, and equality with the typed crates.

mod lookup;
mod metrics;
mod sound;
mod typed;
