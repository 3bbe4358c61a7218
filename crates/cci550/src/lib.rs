#![doc = include_str!("lib.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the stopped driver. [`Counter`]: one of its counters. [`Running`]: the running
//!   driver.
//! - [`SlaveEvent`], [`MasterEvent`], [`GlobalEvent`]: the events. [`SI0`] to [`SI6`], [`MI0`] to
//!   [`MI6`] and [`Global`]: their sources. [`Selection`]: an event at a source. [`events`] has all
//!   of them.
//! - [`metrics`]: ratios and other figures computed from counts.
//! - [`registers`]: typed access to every register. Register values can be used without a device.
//! - [`arm_pmu_core`]: code shared by the PMUs of all IPs, for example
//!   [reports](arm_pmu_core::report), [more events than counters](arm_pmu_core::schedule) and [long
//!   runs](mod@arm_pmu_core::measure).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
mod generated;
mod identity;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::ProbeError;
pub use arm_pmu_core::event::Event;
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use cci5xx::Space;
#[doc(inline)]
pub use cci5xx::cci550::registers;
#[doc(no_inline)]
pub use events::sources::*;
pub use generated::events::{GlobalEvent, MasterEvent, Selection, SlaveEvent};
pub use generated::findings::Finding;
pub use generated::pmu::Pmu;
pub use generated::running::Running;
pub use generated::{events, metrics};

/// One counter, to select what it counts. Returned by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The memory-mapped registers of a CCI-550.
///
/// They take [`LENGTH`](registers::LENGTH) bytes from its base.
///
/// The base is that of the block with PMCR at offset 0x100. It is not PERIPHBASE, the base of the
/// cluster's private peripherals: look up the CCI's own base.
pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
