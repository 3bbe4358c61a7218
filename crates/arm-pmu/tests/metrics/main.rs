//! Every metric with numbers worked out by hand from the documents: events are given by their codes, and
//! figures as text. Each is also computed from nothing, from counts that cannot be relied on, and on a
//! simulated device.
#![cfg(feature = "default")]

mod arm11;
mod arm_pmuv3;
mod armv7_pmu;
mod cci400;
mod cci5xx;
#[path = "../support/devices.rs"]
mod devices;
mod l2c_310;
mod smmuv3_pmcg;
mod support;
