#![doc = include_str!("lib.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: driver of the stopped PMU. [`Counter`]: one counter of a stopped PMU. [`Running`]:
//!   driver of the counting PMU.
//! - [`SkeletonIpEvent`]: the events. [`Selection`]: an event, or the number of an unlisted event.
//! - [`registers`]: typed access to every register; register values can be used without a device.
//! - [`arm_pmu_core`]: code shared by the PMUs of all IPs, for example
//!   [reports](arm_pmu_core::report), [more events than counters](arm_pmu_core::schedule) and [long
//!   runs](mod@arm_pmu_core::measure).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
mod generated;
mod hardware;
mod pmu;
mod probe;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::ProbeError;
pub use arm_pmu_core::event::Event;
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use generated::events::{Selection, SkeletonIpEvent};
pub use generated::registers::Space;
pub use generated::running::Running;
pub use generated::{events, registers};
pub use pmu::Pmu;

/// Access to one counter, to select its event. Returned by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The memory-mapped registers of a SKELETON IP.
///
/// The registers take [`LENGTH`](registers::LENGTH) bytes from their base address.
pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
