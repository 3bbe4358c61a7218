//! Why counters read zero.

mod diagnose;
mod finding;

pub use diagnose::{Diagnose, Diagnosis, Found, Outcome};
pub use finding::{Finding, FixableBy};
