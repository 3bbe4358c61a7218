#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
#[rustfmt::skip]
mod generated;
mod hardware;
mod pmu;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::ProbeError;
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use generated::events::{DsuEvent, Selection};
pub use generated::findings::Finding;
pub use generated::registers::Space;
pub use generated::running::Running;
pub use generated::{events, metrics, registers};
pub use pmu::Pmu;

use arm_pmu_core::driver::Clock;
use events::COUNTERS;

/// Access to one event counter, to select its event. Returned by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The cycle counter of a stopped PMU. Returned by [`Pmu::cycle_counter`].
pub type Cycles<'p> = arm_pmu_core::driver::UndividedCycles<'p>;

/// A subset of the event counters and the cycle counter.
pub type Counters = arm_pmu_core::driver::CounterSet<COUNTERS>;

/// The PMU registers of the cluster that executes this code.
///
/// Here, [`new`](arm_pmu_core::bus::Sysreg::new) has an additional safety condition: no other core of the cluster
/// accesses these registers, which all cores share.
pub type Sysreg = arm_pmu_core::bus::Sysreg<Space>;
