#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`]: one of its counters. [`Running`]: the driver while it counts.
//! - [`SlaveEvent`], [`MasterEvent`], [`GlobalEvent`]: what can be counted; [`SlaveSource`] and
//!   [`MasterSource`] (re-exported one by one: [`SI0`] to [`SI6`], [`MI0`] to [`MI5`]) and [`Global`]:
//!   where; [`Selection`]: both together.
//! - [`registers`]: every register, typed, with a device or without.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
mod generated;
mod identity;

pub use arm_pmu_core::{
    About, Amount, AssignError, Bus, BusError, Columns, Count, CountError, CountSnapshot, Diagnose,
    Diagnosis, Event, EventSet, EventSetError, FixableBy, Found, Group, Interference, Interval,
    Intervals, InvalidSelection, Measurement, Metric, MetricError, Monitor, MultiplexedCount,
    MultiplexedCounts, MultiplexedRun, Outcome, Overhead, Passes, Percent, ProbeError,
    ProbeErrorKind, Ratio, Rearm, RegisterSpec, Report, Row, RowValue, Rows, RunningMonitor,
    Scaling, Schedule, Section, Snapshot, Spread, SpreadError, StartStop, Totals,
    UnavailableMetric, Unit, UnknownCode, UnknownEvent, UnknownId, UnknownName, Value, calibrate,
    longest_interval, measure,
};
#[doc(inline)]
pub use cci5xx::skeleton_ip::registers;
pub use cci5xx::{Space, field};
pub use generated::events::{
    COUNTERS, GlobalEvent, GlobalSource, Listed, MasterEvent, MasterSource, Selection, SlaveEvent,
    SlaveSource,
};
pub use generated::events::{GlobalSource::*, MasterSource::*, SlaveSource::*};
pub use generated::findings::Finding;
pub use generated::pmu::{Pmu, Running};

/// One counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// The memory-mapped registers of a SKELETON IP: [`LENGTH`](registers::LENGTH) bytes from its base.
pub type Mmio = arm_pmu_core::Mmio<Space>;
