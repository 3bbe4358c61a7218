//! Why counters read zero.

mod diagnose;
mod finding;
mod trials;

pub use diagnose::{Diagnose, Diagnosis, Found, Outcome};
pub use finding::{Finding, FixableBy};
pub use trials::{Diagnosable, Trials};
