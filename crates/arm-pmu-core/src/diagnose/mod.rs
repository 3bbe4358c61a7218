//! Diagnosis: why counters read zero.
//!
//! Start with [`Diagnose`], the trait that drivers implement. A diagnosis inspects the registers, and counts
//! while the work runs. The result is a [`Diagnosis`]: a list of [findings](Found), and an [`Outcome`]. Each
//! IP has its own enum of [`Finding`]s.
//!
//! [Example](Diagnose)

mod diagnose;
mod finding;
mod findings;
mod trials;

pub use diagnose::{Diagnose, Diagnosis, Found, Outcome};
pub use finding::{Finding, FixableBy};
pub use trials::{Diagnosable, Trials};
