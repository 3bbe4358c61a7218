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
mod interrupt;
mod monitor;
mod pmu;
mod probe;
mod procedure;
mod running;
pub mod tbu;
pub mod tcu;

pub use arm_pmu_core::{
    About, Alike, Amount, AssignError, Bus, Columns, Count, CountSnapshot, Counting, CycleCounter,
    Diagnose, Diagnosis, Event, Fault, Found, Group, Inexact, Interval, Intervals,
    InvalidSelection, Located, Lost, Measurement, MendedBy, Metric, Mmio, Monitor, NoValue,
    NotComputable, NotExact, Overhead, Passes, Percent, Plan, PlanError, Ratio, Rearm, Reason,
    Refused, Report, Rotated, Rotation, Row, RowValue, Rows, Sampled, Schedule, Section, Share,
    Snapshot, Spread, Start, Suspect, Totals, Unit, UnknownCode, UnknownId, UnknownName, Value,
    Verdict, calibrate, longest_interval, measure,
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
pub const COUNTERS: usize = generated::tcu::events::COUNTERS;
const _: () = assert!(COUNTERS == generated::tbu::events::COUNTERS, "one driver serves both");
