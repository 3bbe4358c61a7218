#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`] and [`Cycles`](arm_pmu_core::driver::Cycles): what it can count with. [`Running`]: the driver
//!   while it counts.
//! - [`SlaveEvent`], [`MasterEvent`]: what can be counted. [`S0`] to [`S4`], [`M0`] to [`M2`]: where.
//!   [`Selection`]: both together. [`events`] has all of them.
//! - [`metrics`]: figures that are computed from counts.
//! - [`registers`]: every register, typed, with a device or without.
//! - [`arm_pmu_core`]: what the PMUs of all IPs share, for example [reports](arm_pmu_core::report),
//!   [more events than counters](arm_pmu_core::schedule) and [long runs](mod@arm_pmu_core::measure).
//! - [`r0`]: the same for a part of revision 0. [`probe`] tells the revisions apart, [`revision`] has what
//!   code for both needs.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
#[rustfmt::skip]
mod generated;
mod hardware;
mod monitor;
mod pmu;
mod probe;
pub mod r0;
pub mod revision;
mod running;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::{Divider, ProbeError};
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
#[doc(no_inline)]
pub use events::sources::*;
pub use generated::findings::Finding;
pub use generated::r1::events::{MasterEvent, Selection, SlaveEvent};
pub use generated::r1::{events, metrics};
pub use generated::registers;
pub use generated::registers::Space;
pub use probe::{Probed, probe};
pub use running::Overflows;

/// How many event counters each revision has.
const COUNTERS: usize = {
    let counters = generated::r1::events::COUNTERS;
    assert!(counters == generated::r0::events::COUNTERS, "one driver serves both");
    counters
};

/// The performance monitoring unit of one CCI-400 of revision 1, stopped.
pub type Pmu<B> = revision::Pmu<revision::R1, B>;

/// The performance monitoring unit of one CCI-400 of revision 1, counting.
pub type Running<B> = revision::Running<revision::R1, B>;

/// The PMU of a CCI-400 of revision 1: what the crate also has at its top.
pub mod r1 {
    pub use crate::generated::r1::events::{MasterEvent, Selection, SlaveEvent};
    pub use crate::{Counter, Pmu, Running, events, metrics};
}

/// One event counter, to say what it counts. Made by [`Pmu::counters`](revision::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The memory-mapped registers of a CCI-400: [`LENGTH`](registers::LENGTH) bytes from its base.
///
/// The base is that of the 64 KB block in which PMCR is at 0x100. It is not PERIPHBASE, the base of
/// the cluster's private peripherals: the CCI-400 is 0x90000 above that.
pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
