//! What every Arm PMU crate of this family shares.
//!
//! | concept | item |
//! |---|---|
//! | where registers live | [`Space`]: [`Memory`] or [`Cp15`] |
//! | where one register lives, and what may be written to it | [`Located`] |
//! | the way to the registers | [`Bus`]: [`Mmio`], [`CoreCp15`], or a simulated device |
//! | what a counter can count | [`Event`], [`EventId`] |
//! | what a counter said | [`Count`] |
//! | how much of an event there was, however it was counted | [`Amount`] |
//! | a figure of several events | [`Metric`], [`Value`], [`Ratio`] |
//! | a driver, whatever the IP | [`Monitor`], [`CycleCounter`], [`measure`], [`calibrate`] |
//! | why counters read zero | [`Suspect`], [`Diagnose`], [`Diagnosis`], [`Finding`] |
//! | a running PMU, whatever the IP | [`Start`], [`Counting`], [`CountSnapshot`], [`Totals`], [`Intervals`] |
//! | more events than counters | [`Plan`], [`Passes`], [`Rotation`] |
//! | what was measured, as text, CSV or JSON | [`Report`], [`Columns`] |
//! | what a driver remembers | [`Ledger`], [`Doubts`], [`Counter`], [`TimedLedger`], [`Clock`], [`Cycles`] |
//!
//! The crate has no dependencies but those that its features `defmt` and `serde` name, needs neither
//! `std` nor a heap, and is the only library of the family that holds `unsafe` code: making a [`Mmio`]
//! or a [`CoreCp15`] is the one promise a user gives; everything behind it is safe.
//!
//! Most users do not depend on this crate directly: the crate of their IP re-exports what is needed.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod amount;
mod bus;
mod count;
mod cycles;
mod diagnose;
mod event;
mod explain;
mod finding;
#[doc(hidden)]
pub mod formats;
mod interval;
mod ledger;
mod measure;
mod metric;
mod mmio;
mod monitor;
mod passes;
mod plan;
mod ratio;
mod rearm;
mod refused;
mod report;
mod rotation;
mod schedule;
mod selection;
mod slice;
mod snapshot;
mod space;
mod start;
mod suspect;
mod totals;
mod user_mode;
mod value;

mod cp15;

pub use amount::{Amount, NotExact, Share};
pub use bus::{Bus, Fault};
pub use count::{Count, Inexact};
pub use cp15::CoreCp15;
pub use cycles::{Clock, CounterSet, Cycles, Divider, TimedLedger};
pub use diagnose::{Diagnose, Diagnosis, Found, Verdict};
pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use explain::Explained;
pub use finding::{Finding, MendedBy};
pub use interval::{Interval, Intervals, Snapshot};
pub use ledger::{Counter, Doubts, Ledger, Slot};
pub use measure::{EventOrCycles, Measurement, Overhead, calibrate, measure};
pub use metric::{About, Inputs, MOST_INPUTS, Metric, MetricUnit, NotComputable};
pub use mmio::Mmio;
pub use monitor::{AssignError, CycleCounter, Lost, Monitor, run_between};
pub use passes::{Alike, Passes, Spread};
pub use plan::{Group, Plan, PlanError};
pub use ratio::{Ratio, Term};
pub use rearm::Rearm;
pub use refused::{Reason, Refused};
pub use report::{Columns, Computed, Percent, Report, Row, RowValue, Rows, Section};
pub use rotation::{Rotated, Rotation, Sampled};
pub use schedule::Schedule;
pub use selection::{EventId, InvalidSelection, UnknownId};
pub use snapshot::CountSnapshot;
pub use space::{Cp15, Located, Memory, Operands, Space};
pub use start::Start;
pub use suspect::Suspect;
pub use totals::{Counting, Totals, longest_interval};
pub use user_mode::{RegisterAccess, UserMode};
pub use value::{Figure, NoValue, Value};
