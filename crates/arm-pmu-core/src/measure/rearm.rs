//! New budgets for the counters of a running PMU.

use core::num::NonZeroU32;

use super::running::RunningMonitor;

/// A running PMU that can start new budgets on single counters.
///
/// A handler of the overflow interrupt acknowledges the overflow, handles it, and rearms the counter. The other
/// counters continue to count.
///
/// Events between the overflow and `rearm` belong to neither budget. To determine the number of these events, read the
/// counter before the call of `rearm`. Do not use [`Totals`](crate::measure::Totals) or
/// [`Intervals`](crate::measure::Intervals) with a rearmed counter: after a rearm, the counter seems to go backwards,
/// which is an error.
pub trait Rearm: RunningMonitor {
    /// Restarts one counter so that it overflows after `events` events.
    ///
    /// The count starts from zero again. The call has no effect on an unused or missing counter.
    ///
    /// If the overflow flag is set, it belongs to the previous budget, and the call clears it. If you need the flag,
    /// acknowledge overflows before the call. If the device rejects the new value, or ignores a store of the call, the
    /// count is [disturbed](crate::count::CountError::Disturbed).
    fn rearm(&mut self, counter: usize, events: NonZeroU32);
}
