//! Counts of a running PMU, with their selections.

use core::fmt;

use super::running::{MOST_COUNTERS, RunningMonitor, counters_in_use, pairs, pick};
use crate::count::{Amount, Count};
use crate::metric::{Metric, Value};

/// Counts of a running PMU, each with its selection.
///
/// The `snapshot` method of a `Running` returns this type. The selections are as the driver
/// programmed them, in the order of [assignment](crate::measure::Monitor::assign). If the caller
/// set each counter separately instead, the order is by counter number, with the cycle counter
/// last. Unused counters are omitted.
///
/// A snapshot prints as a table with one line for each amount.
///
/// ```
/// use arm_pmu_core::count::Count;
/// use arm_pmu_core::measure::{CountSnapshot, RunningMonitor};
///
/// /// Prints the current counts of any PMU with at most 8 counters.
/// fn print<C: RunningMonitor<Selection: std::fmt::Display>>(running: &C) {
///     println!("{}", CountSnapshot::<_, 8>::of(running));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the snapshot contains the counts that were read"]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize", deserialize = "S: serde::Deserialize<'de>"))
)]
pub struct CountSnapshot<S, const N: usize> {
    /// Selections; the elements after the last selection are `None`.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    selections: [Option<S>; N],
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    counts: [Count; N],
    /// Number of cycles that one count stands for.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    dividers: [u32; N],
}

impl<S: Copy + PartialEq, const N: usize> CountSnapshot<S, N> {
    /// Reads the counters of a running PMU with [`RunningMonitor::read`].
    ///
    /// If more than `N` counters are in use, only the first `N` are included.
    pub fn of<C: RunningMonitor<Selection = S>>(running: &C) -> Self {
        let counters = counters_in_use(running);
        let mut all = [Count::NOT_COUNTED; MOST_COUNTERS];
        running.read(&mut all[..C::COUNTERS.min(MOST_COUNTERS)]);
        let selections = counters.map(|counter| running.selection(counter));
        let dividers = counters.map(|counter| running.divider(counter));
        Self { selections, counts: pick(&all, &counters), dividers }
    }

    /// Returns each selection with its count.
    ///
    /// If the cycle counter counts every 64th cycle, its count is a number of 64-cycle periods.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Count)> + Clone + use<S, N> {
        pairs(self.selections, self.counts)
    }

    /// Returns each selection with its amount, for metrics.
    ///
    /// The amount of cycles is an estimate if the cycle counter counts every 64th cycle.
    pub fn amounts(&self) -> impl Iterator<Item = (S, Amount)> + Clone + use<S, N> {
        let amounts = self.pairs().zip(self.dividers);
        amounts
            .map(|((selection, count), divider)| (selection, Amount::from(count).of_each(divider)))
    }

    /// Returns the count of a selection, or [`Count::NOT_COUNTED`] if the snapshot does not have
    /// it.
    ///
    /// If several counters have the selection, the first count is returned.
    #[must_use]
    pub fn count(&self, selection: S) -> Count {
        let found = self.pairs().find(|(of, _)| *of == selection);
        found.map_or(Count::NOT_COUNTED, |(_, count)| count)
    }

    /// Computes a metric. The inputs of the metric are looked up by their selections.
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        metric.find(self.amounts())
    }
}

impl<S: fmt::Display + Copy + PartialEq, const N: usize> fmt::Display for CountSnapshot<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (selection, amount)) in self.amounts().enumerate() {
            let end = if nth == 0 { "" } else { "\n" };
            // The widest amount, ">= 4294967296", has 13 characters with the space.
            write!(f, "{end}{amount:13}  {selection}")?;
        }
        Ok(())
    }
}
