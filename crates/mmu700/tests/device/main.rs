//! Identification of the units, and numbers of counters.

mod counters;
mod probe;
