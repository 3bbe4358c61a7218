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
mod hardware;
mod identify;
mod mode;
mod monitor;
mod pmu;
mod running;

pub use arm_pmu_core::{
    About, Amount, AssignError, Bus, BusError, Columns, Count, CountError, CountSnapshot,
    CounterSet, CycleCounter, Cycles, Diagnose, Diagnosis, Divider, Event, EventOrCycles, EventSet,
    EventSetError, FixableBy, Found, Group, Interference, Interval, Intervals, InvalidSelection,
    Measurement, Metric, MetricError, Monitor, MultiplexedCount, MultiplexedCounts, MultiplexedRun,
    Operands, Outcome, Overhead, Passes, Percent, ProbeError, ProbeErrorKind, Ratio, Rearm,
    RegisterAccess, RegisterSpec, Report, Row, RowValue, Rows, RunningMonitor, Scaling, Schedule,
    Section, Snapshot, Spread, SpreadError, StartStop, Totals, UnavailableMetric, Unit,
    UnknownCode, UnknownId, UnknownName, UserMode, Value, calibrate, longest_interval, measure,
};
pub use generated::events::{COUNTERS, CortexA8Event, Selection};
pub use generated::findings::Finding;
pub use generated::registers::Space;
pub use generated::{field, metrics, registers};
pub use identify::is_cortex_a8;
pub use mode::{Mode, Privileged, User};
pub use pmu::{Pmu, UserPmu};
pub use running::{Running, UserRunning};

/// One event counter, to say what it counts. Made by [`Pmu::counters`].
pub type Counter<'p> = arm_pmu_core::Counter<'p, Selection>;

/// Event counters, and the cycle counter: those that overflowed, or that are to interrupt.
pub type Counters = CounterSet<COUNTERS>;

/// The registers of the performance monitor of the core that this runs on.
pub type Cp15 = arm_pmu_core::Cp15<Space>;
