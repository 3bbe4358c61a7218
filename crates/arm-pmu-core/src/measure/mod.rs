//! Measurements with any PMU.
//!
//! Start with [`measure()`]: it counts some events while a function runs. It takes a [`Monitor`], the trait of
//! all drivers, and gives a [`Measurement`]. [`calibrate`] finds what the measurement itself adds.
//!
//! For work that is not one function:
//!
//! - [`StartStop`] starts at one place of a program and stops at another.
//! - A [`RunningMonitor`] is a PMU that counts: [`CountSnapshot`] reads it once, [`Totals`] keeps counts of
//!   64 bits, and [`Intervals`] makes rows of them.
//! - [`Rearm`] gives a counter a new budget after its overflow.

mod all_zero;
mod interval;
mod measure;
mod monitor;
mod rearm;
mod running;
mod snapshot;
mod start_stop;
mod totals;

pub use interval::{Interval, Intervals, Snapshot};
pub use measure::{Measurement, Overhead, calibrate, measure};
pub use monitor::{AssignError, CycleCounter, Interference, Monitor};
pub use rearm::Rearm;
pub use running::RunningMonitor;
pub use snapshot::CountSnapshot;
pub use start_stop::StartStop;
pub use totals::{Totals, longest_interval};

pub(crate) use running::pick;
pub(crate) use totals::read;
