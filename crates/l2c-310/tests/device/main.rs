//! Tests the driver and its diagnosis on a simulated L2C-310.

mod diagnose;
mod driver;
mod probe;
