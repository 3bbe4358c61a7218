#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`]: one of its counters. [`Running`]: the driver while it counts.
//! - [`SlaveEvent`], [`MasterEvent`], [`GlobalEvent`]: what can be counted. [`SI0`] to [`SI6`], [`MI0`] to
//!   [`MI5`] and [`Global`]: where. [`Selection`]: both together. [`events`] has all of them.
//! - [`registers`]: every register, typed, with a device or without.
//! - [`arm_pmu_core`]: what the PMUs of all IPs share, for example [reports](arm_pmu_core::report),
//!   [more events than counters](arm_pmu_core::schedule) and [long runs](mod@arm_pmu_core::measure).
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
pub use cci5xx::skeleton_ip::registers;
#[doc(no_inline)]
pub use events::sources::*;
pub use generated::events;
pub use generated::events::{GlobalEvent, MasterEvent, Selection, SlaveEvent};
pub use generated::findings::Finding;
pub use generated::pmu::{Pmu, Running};

/// One counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The memory-mapped registers of a SKELETON IP: [`LENGTH`](registers::LENGTH) bytes from its base.
pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
