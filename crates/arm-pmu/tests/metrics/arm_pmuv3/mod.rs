//! Cores with PMUv3.

mod cortex_a53;
mod cortex_a55;
mod cortex_a72;
mod every_core;
