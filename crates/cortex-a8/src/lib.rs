#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`] and [`Cycles`](arm_pmu_core::driver::Cycles): what it can count with. [`Running`]: the driver
//!   while it counts. [`UserPmu`]: the same for software in User mode.
//! - [`CortexA8Event`]: what can be counted; [`Selection`]: what a counter counts.
//! - [`metrics`]: figures that are computed from counts.
//! - [`registers`]: every register, typed, with a device or without, and which
//!   [access](registers::ACCESS) User mode has to it.
//! - [`arm_pmu_core`]: what the PMUs of all IPs share, for example [reports](arm_pmu_core::report),
//!   [more events than counters](arm_pmu_core::schedule) and [long runs](mod@arm_pmu_core::measure).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
#[rustfmt::skip]
mod generated;
mod hardware;
mod identify;
mod mode;
mod monitor;
mod pmu;
mod running;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::{Divider, ProbeError};
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
use events::COUNTERS;
pub use generated::events::{CortexA8Event, Selection};
pub use generated::findings::Finding;
pub use generated::registers::Space;
pub use generated::{events, metrics, registers};
pub use identify::is_cortex_a8;
pub use mode::{Mode, Privileged, User};
pub use pmu::{Pmu, UserPmu};
pub use running::{Running, UserRunning};

/// One event counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// Event counters, and the cycle counter: those that overflowed, or that are to interrupt.
pub type Counters = arm_pmu_core::driver::CounterSet<COUNTERS>;

/// The registers of the performance monitor of the core that this runs on.
pub type Cp15 = arm_pmu_core::bus::Cp15<Space>;
