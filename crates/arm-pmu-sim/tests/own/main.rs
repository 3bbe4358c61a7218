//! Settings, events and access rights of single devices. `crates/arm-pmu/tests/devices` tests the common behaviour of
//! all devices.

mod arm11;
mod armv7;
mod panics;
mod pmcg;
