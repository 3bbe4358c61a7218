#![doc = include_str!("lib.md")]
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
