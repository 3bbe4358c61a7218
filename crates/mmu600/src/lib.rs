#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`tcu`] and [`tbu`]: each unit with its `Pmu`, its `Running`, its events, its selections and its metrics.
//! - [`Pmu`] and [`Running`]: the stopped and the running driver, the same for both units.
//!   [`StreamFilter`]: selects the streams whose events are counted.
//! - [`registers`]: typed access to every register. Register values can be used without a device.
//!   [`Page0`] and [`Page1`]: the two register spaces, each accessed through a [`Bus`].
//!   [`tcu::Page0`] and similar types are such buses.
//! - [`arm_pmu_core`]: code shared by the PMUs of all IPs, for example
//!   [reports](arm_pmu_core::report), [more events than counters](arm_pmu_core::schedule) and [long
//!   runs](mod@arm_pmu_core::measure).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod component;
mod diagnose;
#[rustfmt::skip]
mod generated;
mod implementation;
mod interrupt;
mod monitor;
mod pmu;
mod probe;
mod running;
pub mod tbu;
pub mod tcu;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::{Bus, Mmio};
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::ProbeError;
pub use arm_pmu_core::event::Event;
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use component::{Component, Tbu, Tcu};
pub use generated::findings::Finding;
pub use generated::registers;
pub use generated::registers::{Page0, Page1};
pub use pmu::Pmu;
pub use running::Running;
pub use smmuv3_pmcg::NotAcknowledged;
pub use tbu::TbuEvent;
pub use tcu::TcuEvent;

/// Selects the streams whose events are counted. StreamIDs have 24 bits.
pub type StreamFilter = smmuv3_pmcg::StreamFilter<{ implementation::STREAM_ID_BITS }>;

/// Error: the hardware has no filter for these streams.
pub type InvalidFilter = smmuv3_pmcg::InvalidFilter<{ implementation::STREAM_ID_BITS }>;

/// Number of counters of each PMU.
const COUNTERS: usize = {
    let counters = generated::tcu::events::COUNTERS;
    assert!(counters == generated::tbu::events::COUNTERS, "one driver serves both");
    counters
};
