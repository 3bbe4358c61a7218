//! Measurements with any PMU.
//!
//! Start with [`measure()`]: it counts events while a function runs. `measure` accepts a [`Monitor`], the
//! trait of all drivers, and returns a [`Measurement`]. [`calibrate`] measures the overhead of a
//! measurement.
//!
//! For work that is not a single function call:
//!
//! - [`StartStop`] starts a PMU at one place of a program and stops it at another place.
//! - A [`RunningMonitor`] is a PMU while it counts. [`CountSnapshot`] reads the counters once, [`Totals`]
//!   extends their counts to 64 bits, and [`Intervals`] divides a long run into intervals.
//! - A [`BankedPmu`] counts for one task after another. A [`Bank`] has the totals of one task.
//! - [`Rearm`] starts a new budget on a counter that overflowed; a [`Sampler`](crate::sample::Sampler) uses it.
//!
//! [Example](measure())

mod all_zero;
mod bank;
mod define;
mod interval;
mod measure;
mod monitor;
mod rearm;
mod running;
mod snapshot;
mod start_stop;
mod totals;

pub use bank::{Bank, BankedPmu, ContextSwitch};
pub use interval::{Interval, Intervals, Snapshot};
pub use measure::{Measurement, Overhead, calibrate, measure};
pub use monitor::{AssignError, CycleCounter, Interference, Monitor};
pub use rearm::Rearm;
pub use running::RunningMonitor;
pub use snapshot::CountSnapshot;
pub use start_stop::StartStop;
pub use totals::{Totals, longest_interval};

pub(crate) use running::{MOST_COUNTERS, pick};
pub(crate) use totals::read;
