//! More events than counters.
//!
//! Start with [`EventSet`]: add events to it and run it on a PMU. The set runs the work once for each pass that
//! it needs, and returns [`Passes`]. A [`Schedule`] assigns the events of a set to passes for one PMU. For one
//! long run, [`Schedule::rotate`] counts the passes in turn: this is a [`MultiplexedRun`], which gives
//! estimates.
//!
//! [Example](EventSet)

mod event_set;
mod multiplexed;
mod passes;
mod schedule;
mod time_slice;

pub use event_set::{EventSet, EventSetError, Group};
pub use multiplexed::{MultiplexedCount, MultiplexedCounts, MultiplexedRun};
pub use passes::{Passes, Spread, SpreadError};
pub use schedule::Schedule;
