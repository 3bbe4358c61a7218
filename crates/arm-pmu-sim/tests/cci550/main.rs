//! The simulated CCI-550, through its buses.

mod counting;
mod knobs;
mod registers;
#[path = "../support/mod.rs"]
mod support;
mod words;
