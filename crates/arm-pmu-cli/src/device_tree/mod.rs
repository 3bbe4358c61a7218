//! Device trees: what one says about the PMUs of a system, and what to add to one.

pub mod blob;
mod cores;
mod interrupts;
mod lines;
pub mod platform;
pub mod source;
mod tree;
