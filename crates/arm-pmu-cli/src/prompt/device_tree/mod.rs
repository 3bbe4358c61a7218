//! Device trees: what one says about the PMUs of a system, and what to add to one.

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
