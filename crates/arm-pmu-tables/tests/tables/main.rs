//! The tables: lookup, consistency, values of metrics, and equality with the typed crates.

mod lookup;
mod metrics;
mod sound;
mod typed;
