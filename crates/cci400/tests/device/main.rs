//! Tests the drivers of both revisions on a simulated CCI-400.

mod diagnose;
mod driver;
mod probe;
mod r0;
