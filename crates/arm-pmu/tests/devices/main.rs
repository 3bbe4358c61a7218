//! Tests of behaviour that all simulated devices share. They run on each device of `for_each_pmu`. Tests of single
//! devices are in `crates/arm-pmu-sim/tests`.
#![cfg(feature = "default")]

#[macro_use]
#[path = "../support/devices.rs"]
mod devices;

mod accesses;
mod cci;
mod counting;
mod sequences;

use devices::simulated as device;
