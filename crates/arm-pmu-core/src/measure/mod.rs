//! Measurements, on any PMU.

mod all_zero;
mod interval;
mod measure;
mod monitor;
mod rearm;
mod snapshot;
mod start_stop;
mod totals;

pub use interval::{Interval, Intervals, Snapshot};
pub use measure::{EventOrCycles, Measurement, Overhead, calibrate, measure};
pub use monitor::{AssignError, CycleCounter, Interference, Monitor, run_between};
pub use rearm::Rearm;
pub use snapshot::CountSnapshot;
pub use start_stop::StartStop;
pub use totals::{RunningMonitor, Totals, longest_interval};

pub(crate) use interval::{pick, read};
