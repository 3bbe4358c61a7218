//! Tests of the settings, events and access rights of single devices. The common behaviour of all devices is tested in
//! `crates/arm-pmu/tests/drivers/simulated`.

mod arm11;
mod armv7;
mod panics;
mod pmcg;
