#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod common_events;
mod control;
mod diagnose;
mod exports;
mod filter;
#[rustfmt::skip]
mod generated;
mod hardware;
mod identify;
mod identity;
mod implementation;
mod machine;
mod mode;
mod threshold;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::ProbeError;
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use common_events::{CommonEvents, CommonEventsIter};
pub use filter::Filter;
pub use generated::events::{CommonEvent, DEFAULT_COUNTERS, Selection};
pub use generated::findings::Finding;
pub use generated::pmu::{Pmu, UserPmu, UserRunning};
pub use generated::registers::Space;
pub use generated::running::Running;
pub use generated::{events, metrics, registers};
pub use identify::{is_pmuv3, version};
pub use mode::{Mode, Privileged, User};
pub use threshold::{Threshold, ThresholdError, Thresholds};

// Public only for the implementation crates.
#[doc(hidden)]
pub use {
    diagnose::diagnose,
    generated::*,
    hardware::{Hardware, skew},
    identify::{is, open, probe},
    implementation::{Cause, Core, Implementation, SOFTWARE_INCREMENT},
};

use identify::{open_with, probe_version};
use implementation::CYCLE;

/// Access to one event counter, to select its event. Returned by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The cycle counter of a stopped PMU. Returned by [`Pmu::cycle_counter`].
///
/// The divider by 64 has an effect only on a 32-bit cycle counter. Arm deprecates such a counter.
pub type Cycles<'p> = arm_pmu_core::driver::UndividedCycles<'p>;

/// A subset of the first `N` event counters and the cycle counter.
pub type Counters<const N: usize = DEFAULT_COUNTERS> = arm_pmu_core::driver::CounterSet<N>;

/// The PMU registers of the core that executes this code.
pub type Sysreg = arm_pmu_core::bus::Sysreg<Space>;
