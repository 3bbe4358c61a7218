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

mod all_zero;
mod amount;
mod bus;
mod count;
mod cycles;
mod diagnose;
pub mod driver;
mod event;
mod event_set;
mod explain;
mod finding;
#[doc(hidden)]
pub mod formats;
mod interval;
mod measure;
mod metric;
mod mmio;
mod monitor;
mod multiplexed;
mod passes;
mod probe_error;
mod ratio;
mod rearm;
mod report;
mod schedule;
mod selection;
mod snapshot;
mod space;
mod start;
mod time_slice;
mod totals;
mod user_mode;
mod value;

mod cp15;

pub use amount::{Amount, Scaling};
pub use bus::{Bus, BusError};
pub use count::{Count, CountError};
pub use cp15::Cp15;
pub use cycles::{Clock, CounterSet, Cycles, Divider};
pub use diagnose::{Diagnose, Diagnosis, Found, Outcome};
pub use driver::Counter;
pub use event::{Event, Unit, UnknownCode, UnknownName};
pub use event_set::{EventSet, EventSetError, Group};
pub use explain::Explained;
pub use finding::{Finding, FixableBy};
pub use interval::{Interval, Intervals, Snapshot};
pub use measure::{EventOrCycles, Measurement, Overhead, calibrate, measure};
pub use metric::{About, Inputs, MOST_INPUTS, Metric, MetricUnit, UnavailableMetric};
pub use mmio::{IntoPages, Mmio};
pub use monitor::{AssignError, CycleCounter, Interference, Monitor, run_between};
pub use multiplexed::{MultiplexedCount, MultiplexedCounts, MultiplexedRun};
pub use passes::{Passes, Spread, SpreadError};
pub use probe_error::{ProbeError, ProbeErrorKind};
pub use ratio::{Ratio, Term};
pub use rearm::Rearm;
pub use report::{Columns, Computed, Percent, Report, Row, RowValue, Rows, Section};
pub use schedule::Schedule;
pub use selection::{EventId, InvalidSelection, UnknownId};
pub use snapshot::CountSnapshot;
pub use space::{Cp15Space, Location, MemorySpace, Operands, RegisterSpec, Space, TwoPages, Word};
pub use start::StartStop;
pub use totals::{RunningMonitor, Totals, longest_interval};
pub use user_mode::{RegisterAccess, UserMode};
pub use value::{Figure, MetricError, Value};
