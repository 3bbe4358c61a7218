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
mod monitor;
mod pmu;
mod probe;
mod procedure;
mod running;

pub use arm_pmu_core::{About, Alike, Amount, AssignError, Bus, Columns, Count, CountSnapshot, Counting, Diagnose, Diagnosis, Event, Fault, Found, Group, Inexact, Interval, Intervals, InvalidSelection, Located, Lost, Measurement, MendedBy, Metric, Monitor, NoValue, NotComputable, NotExact, Overhead, Passes, Percent, Plan, PlanError, Ratio, Rearm, Reason, Refused, Report, Rotated, Rotation, Row, RowValue, Rows, Sampled, Schedule, Section, Share, Snapshot, Spread, Start, Suspect, Totals, Unit, UnknownCode, UnknownId, UnknownName, Value, Verdict, calibrate, longest_interval, measure};
pub use generated::events::{COUNTERS, Selection, SkeletonIpEvent};
pub use generated::{field, registers};
pub use pmu::Pmu;
pub use running::Running;

/// One counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// The memory-mapped registers of a SKELETON IP: [`LENGTH`](registers::LENGTH) bytes from its base.
pub type Mmio = arm_pmu_core::Mmio<{ registers::LENGTH }>;
