#![doc = include_str!("lib.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the stopped driver. [`Counter`] and [`Cycles`](arm_pmu_core::driver::Cycles): its
//!   counters. [`Running`]: the running driver. [`UserPmu`]: the driver for software in User mode.
//! - [`CortexA9Event`]: the events. [`Selection`]: an event, or the number of an unlisted event.
//! - [`metrics`]: ratios and other figures computed from counts.
//! - [`registers`]: typed access to every register. Register values can be used without a device.
//!   [`ACCESS`](registers::ACCESS) lists the access rights of User mode.
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
pub use arm_pmu_core::driver::{Divider, ProbeError};
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
#[doc(inline)]
pub use armv7_pmu::cortex_a9::registers;
pub use armv7_pmu::{Mode, Privileged, Space, User};
use events::COUNTERS;
pub use generated::events::{CortexA9Event, Selection};
pub use generated::findings::Finding;
pub use generated::pmu::{Pmu, UserPmu, UserRunning};
pub use generated::running::Running;
pub use generated::{events, metrics};
pub use identity::is_cortex_a9;

/// One event counter, to select what it counts. Returned by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// A set of counters: of the six event counters and the cycle counter.
pub type Counters = arm_pmu_core::driver::CounterSet<COUNTERS>;

/// The registers of the PMU of the core that executes this code.
pub type Cp15 = arm_pmu_core::bus::Cp15<Space>;
