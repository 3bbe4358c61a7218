#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod component;
#[rustfmt::skip]
mod generated;
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
pub use generated::pmu::Pmu;
pub use generated::registers;
pub use generated::registers::{Page0, Page1};
pub use generated::running::Running;
pub use smmuv3_pmcg::NotAcknowledged;
pub use tbu::TbuEvent;
pub use tcu::TcuEvent;

/// Number of bits of a StreamID. A PMU may compare fewer bits.
const STREAM_ID_BITS: u32 = 24;

/// Selects the streams whose events are counted. StreamIDs have 24 bits.
pub type StreamFilter = smmuv3_pmcg::StreamFilter<STREAM_ID_BITS>;

/// Error: the hardware has no filter for these streams.
pub type InvalidFilter = smmuv3_pmcg::InvalidFilter<STREAM_ID_BITS>;
