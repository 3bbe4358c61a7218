//! Cores with an ARMv7 PMU.

mod cortex_a7;
mod cortex_a8;
mod cortex_a9;
