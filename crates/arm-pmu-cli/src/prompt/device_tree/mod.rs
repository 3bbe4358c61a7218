//! Finds the PMUs in device trees, and writes nodes for missing PMUs.

mod blob;
mod cores;
mod interrupts;
mod lines;
mod platform;
mod run;
mod source;

#[cfg(test)]
pub use run::DeviceTree;
pub use run::{new, run};
#[cfg(test)]
mod trees;
