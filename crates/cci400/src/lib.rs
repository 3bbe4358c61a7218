#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
#[rustfmt::skip]
mod generated;
mod hardware;
mod pmu;
mod probe;
pub mod r0;
pub mod revision;

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
pub use pmu::Overflows;
pub use probe::{Probed, probe};
use revision::Revision;

/// Number of event counters of each revision.
const COUNTERS: usize = {
    let counters = generated::r1::events::COUNTERS;
    assert!(counters == generated::r0::events::COUNTERS, "one driver serves both");
    counters
};

/// The stopped performance monitoring unit (PMU) of one CCI-400, revision 1.
pub type Pmu<B> = revision::Pmu<revision::R1, B>;

/// The running performance monitoring unit (PMU) of one CCI-400, revision 1.
pub type Running<B> = revision::Running<revision::R1, B>;

/// The PMU of a revision 1 CCI-400.
///
/// The root of the crate has the same items.
///
/// [Example](crate#how-to)
pub mod r1 {
    #[doc(no_inline)]
    pub use crate::events::sources::*;
    pub use crate::generated::r1::events::{MasterEvent, Selection, SlaveEvent};
    pub use crate::{Counter, Pmu, Running, events, metrics};
}

/// Access to one event counter, to select its event.
///
/// Returned by [`Pmu::counters`](revision::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

/// The memory-mapped registers of a CCI-400.
///
/// The registers take [`LENGTH`](registers::LENGTH) bytes from their base address.
///
/// The base is the address of the 64 KB block with PMCR at offset 0x100. The base is not
/// PERIPHBASE, the base of the cluster's private peripherals: the CCI-400 is at PERIPHBASE +
/// 0x90000.
pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
