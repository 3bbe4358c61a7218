//! The trait of drivers while the PMU counts.

use crate::count::Count;
#[cfg(doc)]
use crate::count::CountError;

/// Highest number of counters of a PMU: one for each bit of a 32-bit word, and a cycle counter.
pub(crate) const MOST_COUNTERS: usize = 33;

/// A driver between start and stop, while its PMU counts.
///
/// The `Running` structs of this family implement this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a running PMU",
    note = "the `start` method of a `Pmu` returns one"
)]
pub trait RunningMonitor {
    /// Selection of one counter: an event, or the cycles.
    ///
    /// The type is equal to [`Monitor::Selection`](crate::measure::Monitor::Selection).
    type Selection: Copy + PartialEq;

    /// Number of counters.
    ///
    /// The number includes the cycle counter, if there is one. The cycle counter has the highest
    /// counter number.
    const COUNTERS: usize;

    /// Number of register accesses between the first and the last counter value.
    ///
    /// The number is the maximum for any call of [`read_at_once`](Self::read_at_once) during which no counter wraps.
    /// The number is 0 if the hardware captures all counters at one instant, and `None` if unknown.
    const SKEW: Option<u32> = None;

    /// Returns the overflow flags that are set, and clears them. Bit `n` is counter `n`.
    fn take_overflows(&mut self) -> u32;

    /// Returns the counters whose overflow flags were cleared since the start.
    ///
    /// Bit `n` is counter `n`. Flags cleared by [`take_overflows`](Self::take_overflows) and by other methods
    /// of the driver are included. A flag is one bit, so it does not show how often a counter overflowed. The
    /// method does not access the device.
    fn acknowledged(&self) -> u32;

    /// Reads the running counters into `counts`, starting with counter 0.
    ///
    /// The count is [`Count::NOT_COUNTED`] for an unused or missing counter. The count is
    /// [overflowed](CountError::Overflowed) if the counter overflowed since the start, even if its
    /// flag has been cleared.
    fn read(&self, counts: &mut [Count]);

    /// Reads the running counters with the smallest [skew](Self::SKEW) that the PMU allows.
    ///
    /// If the hardware can capture all counters at one instant, this method captures them. The new capture
    /// replaces the previous one. If the device ignores the capture, the previous values are read again, and no
    /// register shows this.
    fn read_at_once(&mut self, counts: &mut [Count]) {
        self.read(counts);
    }

    /// Returns the selection that a counter has counted since the start.
    ///
    /// The result is `None` if the counter is not in use or does not exist.
    fn selection(&self, counter: usize) -> Option<Self::Selection>;

    /// Returns the number of the counter that counts selection `nth`, from 0.
    ///
    /// Selections are in the order of [assignment](crate::measure::Monitor::assign). If the caller set each counter
    /// separately instead, the order is by counter number, with the cycle counter last.
    fn counter_of(&self, nth: usize) -> usize {
        nth
    }

    /// Returns the start value of a counter: 0 unless another value was set.
    fn started_from(&self, counter: usize) -> u32;

    /// Returns the number of cycles for each increment of a counter: 64 if it counts every 64th
    /// cycle, otherwise 1.
    fn divider(&self, _counter: usize) -> u32 {
        1
    }
}

/// Pairs each selection with the value at the same index.
pub(crate) fn pairs<S: Copy, T: Copy, const N: usize>(
    selections: [Option<S>; N],
    values: [T; N],
) -> impl Iterator<Item = (S, T)> + Clone {
    selections.into_iter().zip(values).filter_map(|(selection, value)| Some((selection?, value)))
}

/// Returns the numbers of the counters in use, in the order of the selections.
///
/// The remaining elements are `usize::MAX`.
pub(crate) fn counters_in_use<C: RunningMonitor, const N: usize>(running: &C) -> [usize; N] {
    let mut counters = (0..C::COUNTERS).map(|nth| running.counter_of(nth));
    let mut in_use = || counters.find(|counter| running.selection(*counter).is_some());
    core::array::from_fn(|_| in_use().unwrap_or(usize::MAX))
}

/// Returns the counts of these counters.
///
/// The count of a counter that does not exist is [`Count::NOT_COUNTED`].
pub(crate) fn pick<const N: usize>(all: &[Count], counters: &[usize; N]) -> [Count; N] {
    counters.map(|counter| all.get(counter).copied().unwrap_or(Count::NOT_COUNTED))
}
