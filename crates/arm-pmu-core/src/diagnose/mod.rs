//! Why counters read zero.
//!
//! Start with [`Diagnose`], which drivers implement: it looks at the registers, counts while the work runs, and
//! gives a [`Diagnosis`]. That is a list of what was [found](Found); each IP has an enum of its [`Finding`]s.

mod diagnose;
mod finding;
mod trials;

pub use diagnose::{Diagnose, Diagnosis, Found, Outcome};
pub use finding::{Finding, FixableBy};
pub use trials::{Diagnosable, Trials};
