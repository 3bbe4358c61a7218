#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`] and [`Cycles`]: what it can count with. [`Running`]: the driver
//!   while it counts.
//! - [`SlaveEvent`], [`MasterEvent`]: what can be counted; [`SlaveSource`] and [`MasterSource`]
//!   (re-exported one by one: [`S0`] to [`S4`], [`M0`] to [`M2`]): where; [`Selection`]: both together.
//! - [`metrics`]: figures that are computed from counts.
//! - [`registers`]: every register, typed, with a device or without.
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

pub use arm_pmu_core::{
    About, Amount, AssignError, Bus, BusError, Columns, Count, CountError, CountSnapshot,
    CycleCounter, Cycles, Diagnose, Diagnosis, Divider, Event, EventOrCycles, EventSet,
    EventSetError, FixableBy, Found, Group, Interference, Interval, Intervals, InvalidSelection,
    Measurement, Metric, MetricError, Monitor, MultiplexedCount, MultiplexedCounts, MultiplexedRun,
    Outcome, Overhead, Passes, Percent, ProbeError, ProbeErrorKind, Ratio, Rearm, RegisterSpec,
    Report, Row, RowValue, Rows, RunningMonitor, Scaling, Schedule, Section, Snapshot, Spread,
    SpreadError, StartStop, Totals, UnavailableMetric, Unit, UnknownCode, UnknownEvent, UnknownId,
    UnknownName, Value, calibrate, longest_interval, measure,
};
pub use generated::findings::Finding;
pub use generated::r1::events::{
    Listed, MasterEvent, MasterSource, Selection, SlaveEvent, SlaveSource,
};
pub use generated::r1::events::{MasterSource::*, SlaveSource::*};
pub use generated::r1::metrics;
pub use generated::registers::Space;
pub use generated::{field, registers};
pub use probe::{Probed, probe};
pub use running::Overflows;

/// How many event counters each revision has.
pub const COUNTERS: usize = {
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
    pub use crate::generated::r1::events::{
        Listed, MasterEvent, MasterSource, Selection, SlaveEvent, SlaveSource,
    };
    pub use crate::{Counter, Pmu, Running, metrics};
}

/// One event counter, to say what it counts. Made by [`Pmu::counters`](revision::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// The memory-mapped registers of a CCI-400: [`LENGTH`](registers::LENGTH) bytes from its base.
///
/// The base is that of the 64 KB block in which PMCR is at 0x100. It is not PERIPHBASE, the base of
/// the cluster's private peripherals: the CCI-400 is 0x90000 above that.
pub type Mmio = arm_pmu_core::Mmio<Space>;
