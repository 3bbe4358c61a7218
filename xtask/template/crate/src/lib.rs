#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`]: one of its counters. [`Running`]: the driver while it counts.
//! - [`SkeletonIpEvent`]: what can be counted; [`Selection`]: that, or an event that is not listed.
//! - [`registers`]: every register, typed, with a device or without.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
mod generated;
mod hardware;
mod monitor;
mod pmu;
mod probe;
mod running;

pub use arm_pmu_core::{About, SpreadError, Amount, AssignError, Bus, Columns, Count, CountSnapshot, RunningMonitor, Diagnose, Diagnosis, Event, BusError, Found, Group, CountError, Interval, Intervals, InvalidSelection, Interference, Measurement, FixableBy, Metric, Monitor, MetricError, UnavailableMetric, Overhead, Passes, Percent, EventSet, EventSetError, Ratio, Rearm, ProbeErrorKind, ProbeError, RegisterSpec, Report, MultiplexedCounts, MultiplexedRun, Row, RowValue, Rows, MultiplexedCount, Schedule, Section, Scaling, Snapshot, Spread, StartStop, Totals, Unit, UnknownCode, UnknownEvent, UnknownId, UnknownName, Value, Outcome, calibrate, longest_interval, measure};
pub use generated::events::{COUNTERS, Selection, SkeletonIpEvent};
pub use generated::registers::Space;
pub use generated::{field, registers};
pub use pmu::Pmu;
pub use running::Running;

/// One counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// The memory-mapped registers of a SKELETON IP: [`LENGTH`](registers::LENGTH) bytes from its base.
pub type Mmio = arm_pmu_core::Mmio<Space>;
