//! What every Arm PMU crate of this family shares.
//!
//! | concept | item |
//! |---|---|
//! | a set of registers | [`Space`]: a [`MemorySpace`] or a [`Cp15Space`] |
//! | where one register is, and what `write` and `modify` start from | [`RegisterSpec`], [`Location`] |
//! | access to the registers | [`Bus`]: [`Mmio`], [`Cp15`], or a simulated device |
//! | what a counter can count | [`Event`], [`EventId`] |
//! | what a counter said | [`Count`] |
//! | how much of an event there was, however it was counted | [`Amount`] |
//! | a figure of several events | [`Metric`], [`Value`], [`Ratio`] |
//! | a driver, whatever the IP | [`Monitor`], [`CycleCounter`], [`measure`], [`calibrate`] |
//! | why counters read zero | [`Diagnose`], [`Diagnosis`], [`Finding`] |
//! | a running PMU, whatever the IP | [`StartStop`], [`RunningMonitor`], [`CountSnapshot`], [`Totals`], [`Intervals`] |
//! | more events than counters | [`EventSet`], [`Passes`], [`MultiplexedRun`] |
//! | what was measured, as text, CSV or JSON | [`Report`], [`Columns`] |
//! | the order of a measurement, for drivers | [`driver`] |
//!
//! The crate has no dependencies but those that its features `defmt` and `serde` name, needs neither
//! `std` nor a heap, and is the only library of the family that holds `unsafe` code: making a [`Mmio`]
//! or a [`Cp15`] is the one promise a user gives; everything behind it is safe.
//!
//! Most users do not depend on this crate directly: the crate of their IP re-exports what is needed.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bus;
pub mod count;
pub mod diagnose;
pub mod driver;
pub mod event;
#[doc(hidden)]
pub mod formats;
pub mod measure;
pub mod metric;
pub mod report;
pub mod schedule;

pub use bus::{
    Bus, BusError, Cp15, Cp15Space, IntoPages, Location, MemorySpace, Mmio, Operands,
    RegisterAccess, RegisterSpec, Space, TwoPages, UserMode, Word,
};
pub use count::{Amount, Count, CountError, Scaling};
pub use diagnose::{Diagnose, Diagnosis, Finding, FixableBy, Found, Outcome};
pub use driver::{Clock, Counter, CounterSet, Cycles, Divider, ProbeError, ProbeErrorKind};
pub use event::{
    Event, EventId, InvalidSelection, Selectable, Unit, UnknownCode, UnknownEvent, UnknownId,
    UnknownName,
};
pub use measure::{
    AssignError, CountSnapshot, CycleCounter, EventOrCycles, Interference, Interval, Intervals,
    Measurement, Monitor, Overhead, Rearm, RunningMonitor, Snapshot, StartStop, Totals, calibrate,
    longest_interval, measure, run_between,
};
pub use metric::{
    About, Explained, Figure, Inputs, MOST_INPUTS, Metric, MetricError, MetricUnit, Ratio, Term,
    UnavailableMetric, Value,
};
pub use report::{Columns, Computed, Percent, Report, Row, RowValue, Rows, Section};
pub use schedule::{
    EventSet, EventSetError, Group, MultiplexedCount, MultiplexedCounts, MultiplexedRun, Passes,
    Schedule, Spread, SpreadError,
};
