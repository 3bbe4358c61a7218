//! The common behaviour of the simulated devices. A new device is tested as soon as `for_each_pmu` has its PMU.
//! `crates/arm-pmu-sim/tests` has the tests of single devices.
#![cfg(feature = "default")]

mod accesses;
mod cci;
mod counters;
mod counting;
#[path = "../support/devices.rs"]
mod devices;
mod sequences;

use devices::simulated as device;
