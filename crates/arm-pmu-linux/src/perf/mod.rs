//! Counting through the kernel's drivers, with the system call `perf_event_open`.
//!
//! Start with [`Pmu`]: the stopped PMU of one device. It implements the traits of all drivers of this family, so
//! `measure`, `Intervals`, `EventSet`, reports and metrics work as in firmware. [`Sysfs`] lists the PMUs of the
//! kernel. [`Error`] states the reason why a selection cannot be counted, and the fix.
//!
//! [Example](super)

mod call;
mod device;
mod error;
mod field;
// Laid out by `cargo xtask gen`: a PMU a line.
#[rustfmt::skip]
mod generated;
mod group;
mod kind;
mod open;
mod options;
mod page;
mod pmu;
mod program;
mod running;
mod sysfs;

pub use call::Event;
pub use device::Device;
pub use error::Error;
pub use generated::visit_kind;
pub use kind::{AnyCore, Kind, KindVisitor, Parts, WithCycles};
pub use options::{Options, Target};
pub use pmu::Pmu;
pub use program::Program;
pub use running::Running;
pub use sysfs::Sysfs;
