//! More events than counters.

mod event_set;
mod multiplexed;
mod passes;
mod schedule;
mod time_slice;

pub use event_set::{EventSet, EventSetError, Group};
pub use multiplexed::{MultiplexedCount, MultiplexedCounts, MultiplexedRun};
pub use passes::{Passes, Spread, SpreadError};
pub use schedule::Schedule;
