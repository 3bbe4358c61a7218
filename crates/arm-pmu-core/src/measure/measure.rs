//! Measures the events during one function call.

use core::fmt;

use super::monitor::{AssignError, Monitor};
#[cfg(doc)]
use crate::count::CountError;
use crate::count::{Amount, Count};
use crate::metric::{Metric, Value};

/// The result of [`measure`]: counts, and the return value of the work.
///
/// A measurement prints as a table with one line for each count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the counts are what was measured"]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "S: serde::Serialize, R: serde::Serialize",
        deserialize = "S: serde::Deserialize<'de>, R: serde::Deserialize<'de>"
    ))
)]
pub struct Measurement<S, R, const N: usize> {
    /// Return value of the work.
    pub output: R,
    /// Selections that were counted, in the order of the call.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    pub selections: [S; N],
    /// Count of each selection.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    pub counts: [Count; N],
}

/// Counts the events `what` from zero while `work` runs, on any PMU.
///
/// The counts include some cycles and events of the start and the stop of the PMU. [`calibrate`] measures
/// this overhead, and [`Measurement::without_overhead`] subtracts it.
///
/// ```
/// use arm_pmu_core::measure::{AssignError, Monitor, measure};
///
/// fn sort<M: Monitor>(pmu: &mut M, what: M::Selection, data: &mut [u8]) -> Result<(), AssignError> {
///     let measured = measure(pmu, [what], || data.sort_unstable())?;
///     println!("{}", measured.counts[0]);
///     Ok(())
/// }
/// ```
///
/// A call with more selections than the PMU can count at once does not compile:
///
/// ```compile_fail,E0080
/// # use arm_pmu_core::count::Count;
/// # use arm_pmu_core::measure::{AssignError, Monitor, measure};
/// # struct Pmu;
/// # impl Monitor for Pmu {
/// #     type Selection = u8;
/// #     const COUNTERS: usize = 2;
/// #     fn assign(&mut self, _: &[u8]) -> Result<(), AssignError> { Ok(()) }
/// #     fn run<R>(&mut self, work: impl FnOnce() -> R) -> R { work() }
/// #     fn count(&mut self, _: usize) -> Count { Count::new(1) }
/// # }
/// // `Pmu` has two counters.
/// # let mut pmu = Pmu;
/// let _ = measure(&mut pmu, [0x08, 0x11, 0x12], || ());
/// ```
///
/// An [`EventSet`](crate::schedule::EventSet) counts more selections in several runs.
///
/// # Errors
///
/// Returns an error if the PMU cannot count all of `what` at once. On an error, `work` has not run.
pub fn measure<M: Monitor, S: Into<M::Selection>, R, const N: usize>(
    pmu: &mut M,
    what: [S; N],
    work: impl FnOnce() -> R,
) -> Result<Measurement<M::Selection, R, N>, AssignError> {
    const { assert!(N <= M::COUNTERS, "more selections than the PMU can count at once") };
    let selections = what.map(Into::into);
    pmu.assign(&selections)?;
    let output = pmu.run(work);
    let counts = core::array::from_fn(|nth| pmu.count(nth));
    Ok(Measurement { output, selections, counts })
}

/// The overhead: the part of the counts that the measurement itself causes. See [`calibrate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize", deserialize = "S: serde::Deserialize<'de>"))
)]
pub struct Overhead<S, const N: usize> {
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    selections: [S; N],
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    counts: [Count; N],
}

impl<S: Copy, const N: usize> Overhead<S, N> {
    /// Returns the overhead of each selection, in the order of the call.
    #[must_use]
    pub const fn counts(&self) -> [Count; N] {
        self.counts
    }
}

/// Measures the overhead of counting `what`: the counts of a measurement without work.
///
/// Measures twice and returns the second result, because the first run loads the caches. The result is close
/// to the smallest overhead of a measurement. With cold caches, the overhead is larger. The overhead also
/// differs by a few instructions between measurements, because the compiler generates separate code around
/// each closure.
///
/// Counts include the overhead until [`Measurement::without_overhead`] subtracts it.
///
/// # Errors
///
/// Returns an error if the PMU cannot count all of `what` at once.
pub fn calibrate<M: Monitor, S: Into<M::Selection>, const N: usize>(
    pmu: &mut M,
    what: [S; N],
) -> Result<Overhead<M::Selection, N>, AssignError> {
    let Measurement { selections, .. } = measure(pmu, what, || ())?;
    let Measurement { counts, .. } = measure(pmu, selections, || ())?;
    Ok(Overhead { selections, counts })
}

impl<S: Copy + PartialEq, R, const N: usize> Measurement<S, R, N> {
    /// Returns the counts minus an `overhead` of the same selections.
    ///
    /// An exact overhead is subtracted from an exact count. The result is never below 0. An inexact
    /// count stays unchanged. If the overhead is not exact, or belongs to another selection, the
    /// count becomes [`NotCounted`](CountError::NotCounted).
    ///
    /// ```
    /// use arm_pmu_core::count::Count;
    /// use arm_pmu_core::measure::{AssignError, Monitor, calibrate, measure};
    ///
    /// fn cycles_of_a_sort<M: Monitor>(
    ///     pmu: &mut M,
    ///     what: M::Selection,
    ///     data: &mut [u8],
    /// ) -> Result<Count, AssignError> {
    ///     let overhead = calibrate(pmu, [what])?;
    ///     let measurement = measure(pmu, [what], || data.sort_unstable())?;
    ///     let [count] = measurement.without_overhead(&overhead);
    ///     Ok(count)
    /// }
    /// ```
    #[must_use]
    pub fn without_overhead(&self, overhead: &Overhead<S, N>) -> [Count; N] {
        core::array::from_fn(|nth| {
            let same = self.selections[nth] == overhead.selections[nth];
            match (self.counts[nth].exact(), overhead.counts[nth].exact()) {
                (Err(_), _) => self.counts[nth],
                (Ok(count), Ok(added)) if same => Count::new(count.saturating_sub(added)),
                (Ok(_), _) => Count::NOT_COUNTED,
            }
        })
    }

    /// Computes a metric. The inputs of the metric are looked up by their selections, in any order.
    ///
    /// If an input was not measured, or its count is not exact, the value contains the reason. See [`Metric`]
    /// for an example.
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value {
        let amounts = self.counts.iter().copied().map(Amount::from);
        metric.find(self.selections.iter().copied().zip(amounts))
    }
}

impl<S: fmt::Display, R, const N: usize> fmt::Display for Measurement<S, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The widest count, ">= 4294967296", has 13 characters with the space.
        let lines = self.selections.iter().zip(&self.counts);
        for (nth, (selection, count)) in lines.enumerate() {
            let end = if nth + 1 < N { "\n" } else { "" };
            write!(f, "{count:13}  {selection}{end}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::CountError;

    /// A PMU with an overhead of 37 events in the first run, and of 30 events in each later run.
    struct Slow {
        runs: u32,
        events: u32,
    }

    impl Monitor for Slow {
        type Selection = char;
        const COUNTERS: usize = 2;

        fn assign(&mut self, what: &[char]) -> Result<(), AssignError> {
            let too_many = AssignError::TooMany { asked: what.len(), counters: Self::COUNTERS };
            if what.len() > Self::COUNTERS { Err(too_many) } else { Ok(()) }
        }

        fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
            self.runs += 1;
            self.events = if self.runs == 1 { 37 } else { 30 };
            work()
        }

        fn count(&mut self, nth: usize) -> Count {
            if nth == 0 {
                Count::new(self.events)
            } else {
                Count::invalid(1, CountError::Disturbed)
            }
        }
    }

    #[test]
    fn the_second_run_gives_the_overhead() {
        let mut pmu = Slow { runs: 0, events: 0 };
        let overhead = calibrate(&mut pmu, ['a', 'b']).unwrap();
        assert_eq!(pmu.runs, 2);
        assert_eq!(overhead.counts(), [Count::new(30), Count::invalid(1, CountError::Disturbed)]);
    }

    #[test]
    fn exact_overhead_is_subtracted() {
        let exact = Count::new;
        let lost = Count::invalid(9, CountError::Disturbed);
        let less = |selection, count, added| {
            let measurement = Measurement { output: (), selections: [selection], counts: [count] };
            let [count] =
                measurement.without_overhead(&Overhead { selections: ['a'], counts: [added] });
            count
        };
        assert_eq!(less('a', exact(100), exact(30)), exact(70));
        assert_eq!(less('a', exact(20), exact(30)), exact(0), "not below 0");
        assert_eq!(less('a', lost, exact(30)), lost);
        assert_eq!(less('a', lost, lost), lost);
        let overflowed = Count::invalid(50, CountError::Overflowed);
        assert_eq!(less('a', overflowed, exact(30)), overflowed, "as it is");
        assert_eq!(less('a', exact(100), lost), Count::NOT_COUNTED);
        assert_eq!(less('b', exact(100), exact(30)), Count::NOT_COUNTED, "of another selection");
    }
}
