//! Tests of behaviour that all simulated devices share. They include each device in `for_each_pmu`. Tests of single
//! devices are in `crates/arm-pmu-sim/tests`.
#![cfg(feature = "default")]

mod accesses;
mod cci;
mod counters;
mod counting;
#[path = "../support/devices.rs"]
mod devices;
mod sequences;

use devices::simulated as device;
