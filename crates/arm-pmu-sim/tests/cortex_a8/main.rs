//! The simulated performance monitor of a Cortex-A8, through its buses.

mod access;
mod counting;
#[path = "../support/cp15.rs"]
mod cp15;
mod knobs;
mod overflow;
mod registers;
mod selector;
mod software;
mod words;
