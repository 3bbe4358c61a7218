//! The simulated CCI-400, through its buses.

mod counting;
mod cycles;
mod flags;
mod knobs;
mod registers;
#[path = "../support/mod.rs"]
mod support;
mod words;
