//! The trait of all drivers while the PMU counts.

use crate::count::Count;
#[cfg(doc)]
use crate::count::CountError;

/// Highest number of counters of a PMU: a word of 32 flags, and a cycle counter.
pub(super) const MOST_COUNTERS: usize = 33;

/// A driver between start and stop, while its PMU counts.
///
/// The drivers of this family implement it for structs called `Running`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a running PMU",
    note = "the `start` method of a `Pmu` gives one"
)]
pub trait RunningMonitor {
    /// Event that one counter counts, or the cycles.
    ///
    /// The same as [`Monitor::Selection`](crate::measure::Monitor::Selection).
    type Selection: Copy + PartialEq;

    /// Number of counters.
    ///
    /// A cycle counter is included and has the highest number.
    const COUNTERS: usize;

    /// Number of register accesses between the first and the last counter.
    ///
    /// It is the largest number of accesses that [`read_at_once`](Self::read_at_once) makes from the value of
    /// the first counter to the value of the last, if no counter wraps meanwhile. 0 if the hardware copies all
    /// counters at one instant; `None` if unknown.
    const SKEW: Option<u32> = None;

    /// Clears the overflow flags that are set. Returns them: bit `n` for counter `n`.
    fn take_overflows(&mut self) -> u32;

    /// Returns the counters whose overflow flag was cleared since the start.
    ///
    /// Counter `n` is bit `n`. Both [`take_overflows`](Self::take_overflows) and other methods of the driver
    /// clear flags. A flag is one bit, so it does not tell how often a counter overflowed. The method does not
    /// access the device.
    fn acknowledged(&self) -> u32;

    /// Reads the counters, while they count, into `counts`, from counter 0 on.
    ///
    /// The count is [`Count::NOT_COUNTED`] for an unused or missing counter. It is
    /// [overflowed](CountError::Overflowed) for a counter that overflowed since the start, even
    /// after its flag was cleared.
    fn read(&self, counts: &mut [Count]);

    /// Like [`read`](Self::read), with the smallest [skew](Self::SKEW) that the PMU allows.
    ///
    /// If the hardware can capture all counters at one instant, this method makes a capture. The new capture
    /// replaces the previous one. If the device ignores the capture, the previous values are read again, and no
    /// register shows it.
    fn read_at_once(&mut self, counts: &mut [Count]) {
        self.read(counts);
    }

    /// Returns the selection that a counter has counted since the start.
    ///
    /// The result is `None` if the counter is not in use or does not exist.
    fn selection(&self, counter: usize) -> Option<Self::Selection>;

    /// Returns the number of the counter that counts the `nth` selection, from 0.
    ///
    /// Selections are in the order of [assignment](crate::measure::Monitor::assign). If the counters were set
    /// one by one, they are in the order of the counters, the cycle counter last.
    fn counter_of(&self, nth: usize) -> usize {
        nth
    }

    /// Returns the start value of a counter: 0 unless another value was set.
    fn started_from(&self, counter: usize) -> u32;

    /// Returns the number of cycles for each count of a counter: 64 if it counts every 64th cycle,
    /// otherwise 1.
    fn divider(&self, _counter: usize) -> u32 {
        1
    }
}

/// Returns each selection with the value at the same position.
pub(crate) fn pairs<S: Copy, T: Copy, const N: usize>(
    selections: [Option<S>; N],
    values: [T; N],
) -> impl Iterator<Item = (S, T)> + Clone {
    selections.into_iter().zip(values).filter_map(|(selection, value)| Some((selection?, value)))
}

/// Returns the counters in use, in the order of the selections.
///
/// The rest of the array is `usize::MAX`.
pub(crate) fn counters_in_use<C: RunningMonitor, const N: usize>(running: &C) -> [usize; N] {
    let mut counters = (0..C::COUNTERS).map(|nth| running.counter_of(nth));
    let mut in_use = || counters.find(|counter| running.selection(*counter).is_some());
    core::array::from_fn(|_| in_use().unwrap_or(usize::MAX))
}

/// Returns the counts of these counters.
///
/// [`Count::NOT_COUNTED`] for a counter that does not exist.
pub(crate) fn pick<const N: usize>(all: &[Count], counters: &[usize; N]) -> [Count; N] {
    counters.map(|counter| all.get(counter).copied().unwrap_or(Count::NOT_COUNTED))
}
