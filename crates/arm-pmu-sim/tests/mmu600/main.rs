//! The simulated PMCGs of an MMU-600, through their buses.

mod counting;
mod filter;
mod knobs;
mod overflow;
mod pages;
mod registers;
#[path = "../support/mod.rs"]
mod support;
mod violations;
mod words;
