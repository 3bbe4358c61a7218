//! Budgets that are given again while the counters run.

use core::num::NonZeroU32;

use super::running::RunningMonitor;

/// A running PMU of which single counters can be given a new budget, while the others count on.
///
/// In the handler of the overflow interrupt: acknowledge, act on it, rearm.
///
/// What happens between the overflow and the new budget is not part of either; whoever wants to know
/// how much that is reads the counter before. [`Totals`](crate::measure::Totals) and
/// [`Intervals`](crate::measure::Intervals) are not for such counters: to them, a counter that was rearmed stepped
/// back.
pub trait Rearm: RunningMonitor {
    /// Counts from zero from now on, on this counter alone, so that it overflows at the event with the
    /// number `events`. Nothing happens if the counter is not in use, or not there.
    ///
    /// An overflow flag that is up belongs to the budget before, and is cleared: acknowledge first to see
    /// it. If the device does not take the new value, the count is [lost](crate::count::CountError::Disturbed).
    fn rearm(&mut self, counter: usize, events: NonZeroU32);
}
