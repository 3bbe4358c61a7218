#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`tcu`] and [`tbu`]: each unit with its `Pmu`, its `Running`, its events, its selections and its metrics.
//! - [`Pmu`] and [`Running`]: the drivers, which are the same for both. [`StreamFilter`]: whose events
//!   they count.
//! - [`registers`]: every register, typed, with a device or without.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod component;
mod diagnose;
mod filter;
#[rustfmt::skip]
mod generated;
mod hardware;
mod interrupt;
mod monitor;
mod pmu;
mod probe;
mod running;
pub mod tbu;
pub mod tcu;

pub use arm_pmu_core::{
    About, Amount, AssignError, Bus, BusError, Columns, Count, CountError, CountSnapshot,
    CycleCounter, Diagnose, Diagnosis, Event, EventSet, EventSetError, FixableBy, Found, Group,
    Interference, Interval, Intervals, InvalidSelection, Measurement, Metric, MetricError, Mmio,
    Monitor, MultiplexedCount, MultiplexedCounts, MultiplexedRun, Outcome, Overhead, Passes,
    Percent, ProbeError, ProbeErrorKind, Ratio, Rearm, RegisterSpec, Report, Row, RowValue, Rows,
    RunningMonitor, Scaling, Schedule, Section, Snapshot, Spread, SpreadError, StartStop, Totals,
    UnavailableMetric, Unit, UnknownCode, UnknownId, UnknownName, Value, calibrate,
    longest_interval, measure,
};
pub use component::{Component, Tbu, Tcu};
pub use filter::{InvalidFilter, StreamFilter};
pub use generated::findings::Finding;
pub use generated::{field, registers};
pub use interrupt::NotAcknowledged;
pub use pmu::Pmu;
pub use running::Running;
pub use tbu::TbuEvent;
pub use tcu::TcuEvent;

/// How many counters each PMU has.
pub const COUNTERS: usize = {
    let counters = generated::tcu::events::COUNTERS;
    assert!(counters == generated::tbu::events::COUNTERS, "one driver serves both");
    counters
};
