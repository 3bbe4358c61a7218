//! Scheduling: more events than counters.
//!
//! Start with [`EventSet`]: add events to a set and run it on a PMU. An event set runs the work once for each
//! pass that it needs, and returns [`Passes`]. A [`Schedule`] assigns the events of a set to passes for one
//! PMU. In one long run, a [`MultiplexedRun`] alternates the passes in time slices, and returns estimates: see
//! [`Schedule::rotate`].
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
