#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod arm1136;
pub mod arm1156;
pub mod arm1176;
mod core_type;
mod diagnose;
mod findings;
#[rustfmt::skip]
mod generated;
mod hardware;
mod identify;
mod pmu;

pub use arm_pmu_core;
pub use arm_pmu_core::bus::Bus;
pub use arm_pmu_core::count::{Count, CountError};
pub use arm_pmu_core::diagnose::Diagnose;
pub use arm_pmu_core::driver::{Divider, ProbeError};
pub use arm_pmu_core::event::{Event, EventOrCycles};
pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
pub use arm_pmu_core::metric::Metric;
pub use arm1136::Arm1136Event;
pub use arm1156::Arm1156Event;
pub use arm1176::Arm1176Event;
pub use core_type::{Arm1136, Arm1156, Arm1176, Core};
pub use generated::arm1136::registers::Space;
pub use generated::running::Running;
pub use identify::{Processor, identify};
pub use pmu::Pmu;

/// Number of event counters of each core.
const COUNTERS: usize = {
    use generated::{arm1136, arm1156, arm1176};
    let counters = arm1136::events::COUNTERS;
    assert!(
        counters == arm1156::events::COUNTERS && counters == arm1176::events::COUNTERS,
        "one driver serves all cores"
    );
    counters
};

/// A subset of the two event counters and the cycle counter.
pub type Counters = arm_pmu_core::driver::CounterSet<COUNTERS>;

/// The PMU registers of the core that executes this code.
pub type Cp15 = arm_pmu_core::bus::Cp15<Space>;
