//! Tests of every driver, and of the simulated devices, in one program, so that each driver is compiled only once.
//!
//! Each module is generic over [`devices::Device`], or uses the PMUs of `for_each_pmu`.

mod accesses;
mod banks;
mod devices;
mod diagnose;
mod driver;
mod filters;
#[cfg(feature = "serde")]
mod formats;
mod interrupted;
mod metrics;
mod probe;
mod random;
mod registers;
mod rotation;
mod samples;
mod selections;
mod sequences;
mod simulated;
mod traffic;
mod unified;
