//! The simulated performance monitors of ARM11 cores, through their buses.

mod counting;
#[path = "../support/cp15.rs"]
mod cp15;
mod events;
mod knobs;
mod overflow;
mod registers;
mod words;
