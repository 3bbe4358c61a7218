//! Finds the PMUs in device trees, and writes nodes for missing PMUs.

mod blob;
mod cores;
mod interrupts;
mod lines;
mod new;
mod platform;
mod run;
mod source;
mod tree;

pub use new::new;
#[cfg(test)]
pub use run::DeviceTree;
pub use run::run;
#[cfg(test)]
mod trees;
