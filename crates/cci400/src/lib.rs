#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`] and [`Cycles`]: what it can count with. [`Running`]: the driver
//!   while it counts.
//! - [`SlaveEvent`], [`MasterEvent`]: what can be counted; [`SlaveSource`] and [`MasterSource`]
//!   (re-exported one by one: [`S0`] to [`S4`], [`M0`] to [`M2`]): where; [`Selection`]: both together.
//! - [`registers`]: every register, typed, with a device or without.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[rustfmt::skip]
mod generated;
mod monitor;
mod pmu;
mod probe;
mod procedure;
mod running;

pub use arm_pmu_core::{
    Alike, Amount, AssignError, Bus, Columns, Count, Counting, CycleCounter, Cycles, Divider,
    Event, EventOrCycles, Fault, Group, Inexact, Interval, Intervals, InvalidSelection, Located,
    Lost, Measurement, Monitor, NotExact, Overhead, Passes, Percent, Plan, PlanError, Rearm,
    Reason, Refused, Report, Rotated, Rotation, Row, RowValue, Rows, Sampled, Schedule, Section,
    Share, Snapshot, Spread, Start, Totals, Unit, UnknownCode, UnknownId, UnknownName, calibrate,
    longest_interval, measure,
};
pub use generated::events::{
    COUNTERS, Listed, MasterEvent, MasterSource, Selection, SlaveEvent, SlaveSource,
};
pub use generated::events::{MasterSource::*, SlaveSource::*};
pub use generated::{field, registers};
pub use pmu::Pmu;
pub use running::{Overflows, Running};

/// One event counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// The memory-mapped registers of a CCI-400: [`LENGTH`](registers::LENGTH) bytes from its base.
///
/// The base is that of the 64 KB block in which PMCR is at 0x100. It is not PERIPHBASE, the base of
/// the cluster's private peripherals: the CCI-400 is 0x90000 above that.
pub type Mmio = arm_pmu_core::Mmio<{ registers::LENGTH }>;
