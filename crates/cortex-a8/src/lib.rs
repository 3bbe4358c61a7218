#![doc = include_str!("../README.md")]
//!
//! # Where to look
//!
//! - [`Pmu`]: the driver. [`Counter`] and [`Cycles`]: what it can count with. [`Running`]: the driver
//!   while it counts. [`UserPmu`]: the same for software in User mode.
//! - [`CortexA8Event`]: what can be counted; [`Selection`]: what a counter is told.
//! - [`metrics`]: figures that are computed from counts.
//! - [`registers`]: every register, typed, with a device or without, and [who](registers::ACCESS)
//!   reaches it.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
#[rustfmt::skip]
mod generated;
mod identify;
mod mode;
mod monitor;
mod pmu;
mod procedure;
mod running;

pub use arm_pmu_core::{
    About, Alike, Amount, AssignError, Bus, Columns, CoreCp15, Count, CountSnapshot, CounterSet,
    Counting, Cp15, CycleCounter, Cycles, Diagnose, Diagnosis, Divider, Event, EventOrCycles,
    Fault, Found, Group, Inexact, Interval, Intervals, InvalidSelection, Located, Lost,
    Measurement, MendedBy, Metric, Monitor, NoValue, NotComputable, NotExact, Operands, Overhead,
    Passes, Percent, Plan, PlanError, Ratio, Rearm, Reason, Refused, RegisterAccess, Report,
    Rotated, Rotation, Row, RowValue, Rows, Sampled, Schedule, Section, Share, Snapshot, Spread,
    Start, Suspect, Totals, Unit, UnknownCode, UnknownId, UnknownName, UserMode, Value, Verdict,
    calibrate, longest_interval, measure,
};
pub use generated::events::{COUNTERS, CortexA8Event, Selection};
pub use generated::findings::Finding;
pub use generated::{field, metrics, registers};
pub use identify::is_cortex_a8;
pub use mode::{Mode, Privileged, User};
pub use pmu::{Pmu, UserPmu};
pub use running::{Running, UserRunning};

/// One event counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// Event counters, and the cycle counter: those that overflowed, or that are to interrupt.
pub type Counters = CounterSet<COUNTERS>;
