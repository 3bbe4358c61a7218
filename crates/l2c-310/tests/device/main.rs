//! The driver on a simulated L2C-310: identification, measurements, full counters, and diagnosis.

mod diagnose;
mod driver;
mod probe;
