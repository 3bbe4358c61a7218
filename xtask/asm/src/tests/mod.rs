//! The drivers and those by hand make the same accesses, on registers that hold anything.
mod cci550;
mod cortex_a53;
mod cortex_a8;
mod recorder;
