//! New budgets for counters of a running PMU.

use core::num::NonZeroU32;

use super::running::RunningMonitor;

/// A running PMU that can give its counters new budgets one by one.
///
/// A handler of the overflow interrupt acknowledges the overflow, acts on it, and rearms the counter. The other
/// counters continue to count.
///
/// Events between the overflow and `rearm` belong to neither budget. To know their number, read the counter
/// before the call. Do not use [`Totals`](crate::measure::Totals) or [`Intervals`](crate::measure::Intervals)
/// with a counter that is rearmed: to them, the counter went backwards, which is an error.
pub trait Rearm: RunningMonitor {
    /// Restarts one counter, so that it overflows after `events` events.
    ///
    /// Its count starts again from zero. The call has no effect on an unused or missing counter.
    ///
    /// An overflow flag that is set belongs to the previous budget and is cleared. To see it, acknowledge first.
    /// If the device rejects the new value, or ignores a store of the call, the count is
    /// [disturbed](crate::count::CountError::Disturbed).
    fn rearm(&mut self, counter: usize, events: NonZeroU32);
}
