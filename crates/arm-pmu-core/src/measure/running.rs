//! What all drivers can do while the PMU counts.

use crate::count::Count;
#[cfg(doc)]
use crate::count::CountError;

/// No PMU has more counters: 32 flags are a word, and there may be a cycle counter.
pub(super) const MOST_COUNTERS: usize = 33;

/// A PMU that counts: what all drivers of this family can do between start and stop. Their structs are
/// called `Running`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a running PMU",
    note = "the `start` method of a `Pmu` gives one"
)]
pub trait RunningMonitor {
    /// What one counter counts: the same as [`Monitor::Selection`](crate::measure::Monitor::Selection).
    type Selection: Copy + PartialEq;

    /// How many counters there are. The cycle counter, where there is one beside the event counters, is
    /// the last.
    const COUNTERS: usize;

    /// How far apart in time the counters are read by [`read_at_once`](Self::read_at_once): from the
    /// value of the first to the value of the last so many register accesses are made, at the most, as
    /// long as no counter wraps meanwhile. 0 if all are of one instant. `None` if nobody said.
    const SKEW: Option<u32> = None;

    /// Clears the overflow flags that are up, and tells which they were: one bit for each counter.
    fn take_overflows(&mut self) -> u32;

    /// Counters whose overflow flag was cleared since the start, by
    /// [`take_overflows`](Self::take_overflows) or otherwise: one bit for each counter. The device is not
    /// accessed.
    ///
    /// How often such a counter overflowed is not known: a flag is one bit.
    fn acknowledged(&self) -> u32;

    /// Puts into `counts` what the first counters counted up to this moment: [`Count::NOT_COUNTED`] of one
    /// that is not in use, or is not there.
    ///
    /// The count of a counter that overflowed since the start is [overflowed](CountError::Overflowed), also
    /// after its flag was cleared.
    fn read(&self, counts: &mut [Count]);

    /// As [`read`](Self::read), with as little [skew](Self::SKEW) as the PMU allows. Where the hardware
    /// can copy all counters at one instant, this asks it to, and an earlier copy is gone.
    fn read_at_once(&mut self, counts: &mut [Count]) {
        self.read(counts);
    }

    /// What this counter was programmed to count at the start; `None` if it is not in use, or not there.
    fn selection(&self, counter: usize) -> Option<Self::Selection>;

    /// The number of the counter of the `nth` selection, in the order in which the PMU was
    /// [assigned](crate::measure::Monitor::assign) its selections. If the counters were set one by one, it is the
    /// order of the counters, the cycle counter last.
    fn counter_of(&self, nth: usize) -> usize {
        nth
    }

    /// The value that a counter started from. 0 unless it was told otherwise.
    fn started_from(&self, counter: usize) -> u32;
}

/// Each selection with what stands in its place.
pub(crate) fn pairs<S: Copy, T: Copy, const N: usize>(
    selections: [Option<S>; N],
    values: [T; N],
) -> impl Iterator<Item = (S, T)> + Clone {
    selections.into_iter().zip(values).filter_map(|(selection, value)| Some((selection?, value)))
}

/// The counters in use, in the order of the selections. `usize::MAX` if there are fewer.
pub(crate) fn counters_in_use<C: RunningMonitor, const N: usize>(running: &C) -> [usize; N] {
    let mut counters = (0..C::COUNTERS).map(|nth| running.counter_of(nth));
    let mut in_use = || counters.find(|counter| running.selection(*counter).is_some());
    core::array::from_fn(|_| in_use().unwrap_or(usize::MAX))
}

/// What these counters counted; [`Count::NOT_COUNTED`] of one that is not there.
pub(crate) fn pick<const N: usize>(all: &[Count], counters: &[usize; N]) -> [Count; N] {
    counters.map(|counter| all.get(counter).copied().unwrap_or(Count::NOT_COUNTED))
}
