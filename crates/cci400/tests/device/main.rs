//! The drivers of both revisions on a simulated CCI-400: identification, measurements, failures, and diagnosis.

mod diagnose;
mod driver;
mod probe;
mod r0;
