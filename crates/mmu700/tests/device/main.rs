//! Tests the identification of the units, and drivers with various numbers of counters.

mod counters;
mod probe;
