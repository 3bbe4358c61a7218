//! Intervals of a long run.

use super::running::{MOST_COUNTERS, RunningMonitor, counters_in_use, pairs, pick};
use super::totals::{Reading, Totals, first_reading, read};
use crate::count::{Amount, Count, CountError};
use crate::metric::{Metric, Value};

/// Divides a long run of a PMU into consecutive intervals.
///
/// The reading at the end of an interval also begins the next interval, so no event is missed or counted twice.
/// Amounts of events have 64 bits. As with [`Totals`], amounts are correct across wraps if each counter counts fewer
/// than 2^32 events from the beginning of one reading to the end of the next reading. [`update`](Self::update) is a
/// reading that does not end an interval.
///
/// `N` is the number of selections to read, in the order of
/// [assignment](crate::measure::Monitor::assign). If the caller set each counter separately
/// instead, the order is by counter number, with the cycle counter last.
///
/// The amount of cycles is an estimate if the cycle counter counts every 64th cycle.
///
/// The caller supplies time stamps in any unit. A reading reads the counters one after another.
/// [`RunningMonitor::SKEW`] is the maximum number of register accesses between the first and the last value.
/// Therefore two simultaneous events on different counters may fall into different intervals.
///
/// Readings cannot detect the errors that [`Totals`] cannot detect, for example that another party disabled one counter
/// or changed its event. If the hardware can [capture](RunningMonitor::read_at_once) all counters, but ignores a
/// capture, the reading returns the values of the previous capture.
///
/// ```
/// use arm_pmu_core::count::Count;
/// use arm_pmu_core::measure::{Intervals, RunningMonitor};
///
/// /// One counter, which counts reads.
/// struct Running(u32);
///
/// impl RunningMonitor for Running {
///     type Selection = &'static str;
///     const COUNTERS: usize = 1;
///     fn take_overflows(&mut self) -> u32 {
///         0
///     }
///     fn acknowledged(&self) -> u32 {
///         0
///     }
///     fn selection(&self, counter: usize) -> Option<&'static str> {
///         (counter == 0).then_some("reads")
///     }
///     fn read(&self, counts: &mut [Count]) {
///         counts.fill(Count::new(self.0));
///     }
///     fn started_from(&self, _: usize) -> u32 {
///         0
///     }
/// }
///
/// let mut running = Running(100);
/// let mut intervals = Intervals::<_, 1>::of(&mut running, 0);
/// for (seconds, count) in [(1, 150), (2, 950)] {
///     running.0 = count;
///     let interval = intervals.next(&mut running, seconds);
///     for (selection, amount) in interval.pairs() {
///         println!("{} to {} s: {amount} {selection}", interval.from, interval.to);
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Intervals<S, const N: usize> {
    selections: [Option<S>; N],
    /// Counter number of each selection.
    counters: [usize; N],
    /// Number of cycles that one count stands for.
    dividers: [u32; N],
    totals: Totals<N>,
    last: Snapshot<S, N>,
}

/// Amounts from the start of the PMU up to one reading. The difference of two snapshots is an
/// [`Interval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot<S, const N: usize> {
    at: u64,
    selections: [Option<S>; N],
    dividers: [u32; N],
    readings: [Reading; N],
}

/// Amounts between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
// The selections come from a driver, so users cannot create an interval.
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize", deserialize = "S: serde::Deserialize<'de>"))
)]
pub struct Interval<S, const N: usize> {
    /// Time stamp at the beginning.
    pub from: u64,
    /// Time stamp at the end.
    pub to: u64,
    /// Selections as the driver programmed them; the elements after the last selection are `None`.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    pub selections: [Option<S>; N],
    /// Amount of each selection.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::arrays"))]
    pub amounts: [Amount; N],
}

impl<S: Copy + PartialEq, const N: usize> Intervals<S, N> {
    /// Begins the first interval now. `at` is the time stamp.
    pub fn of<C: RunningMonitor<Selection = S>>(running: &mut C, at: u64) -> Self {
        let counters = counters_in_use(running);
        let selections = counters.map(|counter| running.selection(counter));
        let mut all = [Count::NOT_COUNTED; MOST_COUNTERS];
        let there = &mut all[..C::COUNTERS.min(MOST_COUNTERS)];
        let overflowed = first_reading(running, there, C::read_at_once);
        let totals = Totals::begin(&counters, overflowed, &pick(&all, &counters), running);
        let dividers = counters.map(|counter| running.divider(counter));
        let last = Snapshot { at, selections, dividers, readings: totals.readings() };
        Self { selections, counters, dividers, totals, last }
    }

    /// Returns the selections; `None` after the last selection.
    #[must_use]
    pub const fn selections(&self) -> &[Option<S>; N] {
        &self.selections
    }

    /// Reads the counters to follow their wraps, without ending an interval.
    ///
    /// An interval that is longer than the [longest](crate::measure::longest_interval) time between two readings needs
    /// this call.
    ///
    /// An amount becomes [disturbed](CountError::Disturbed) if the selection of its counter is not the same as at the
    /// [beginning](Self::of): `running` is a different PMU, or the PMU was reprogrammed.
    pub fn update<C: RunningMonitor<Selection = S>>(&mut self, running: &mut C) {
        let (flags, all) = read(running);
        let mut counts = pick(&all, &self.counters);
        let programmed = self.counters.iter().zip(&self.selections);
        for (count, (counter, selection)) in counts.iter_mut().zip(programmed) {
            if running.selection(*counter) != *selection {
                *count = Count::invalid(count.wrapping_value(), CountError::Disturbed);
            }
        }
        self.totals.add(&self.counters, flags, &counts, running);
    }

    /// Reads the counters without ending an interval. `at` is the time stamp.
    ///
    /// The amounts are counted from the start of the PMU.
    pub fn snapshot<C: RunningMonitor<Selection = S>>(
        &mut self,
        running: &mut C,
        at: u64,
    ) -> Snapshot<S, N> {
        self.update(running);
        let Self { selections, dividers, ref totals, .. } = *self;
        Snapshot { at, selections, dividers, readings: totals.readings() }
    }

    /// Ends the current interval and begins the next. `at` is the time stamp.
    #[must_use = "the amounts of the interval are returned only once"]
    pub fn next<C: RunningMonitor<Selection = S>>(
        &mut self,
        running: &mut C,
        at: u64,
    ) -> Interval<S, N> {
        let now = self.snapshot(running, at);
        let interval = now.since(&self.last);
        self.last = now;
        interval
    }
}

impl<S: Copy + PartialEq, const N: usize> Snapshot<S, N> {
    /// Returns the time stamp of the reading.
    #[must_use]
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Returns the amounts from the start of the PMU up to this reading.
    #[must_use]
    pub fn amounts(&self) -> [Amount; N] {
        core::array::from_fn(|nth| self.readings[nth].amount().of_each(self.dividers[nth]))
    }

    /// Returns each selection with its amount since the start of the PMU.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + use<S, N> {
        pairs(self.selections, self.amounts())
    }

    /// Returns the interval from an `earlier` snapshot to this one.
    ///
    /// Both snapshots must belong to the same [`Intervals`].
    ///
    /// If a reading between the two snapshots was too late to follow the wraps of a counter, the amount is
    /// [overflowed](crate::count::CountError::Overflowed), and the number is a lower bound. An overflow before the
    /// earlier snapshot has no effect.
    ///
    /// An amount is an error if a reading between the two snapshots failed. An amount is
    /// [disturbed](crate::count::CountError::Disturbed) if the snapshots have different selections. An amount
    /// is also disturbed if the snapshots are swapped and the counter advanced between them.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Interval<S, N> {
        let amounts =
            core::array::from_fn(|nth| match self.selections[nth] == earlier.selections[nth] {
                true => self.readings[nth].since(earlier.readings[nth]).of_each(self.dividers[nth]),
                false => Amount::invalid(0, CountError::Disturbed),
            });
        Interval { from: earlier.at, to: self.at, selections: self.selections, amounts }
    }
}

impl<S: Copy, const N: usize> Interval<S, N> {
    /// Returns each selection with its amount.
    pub fn pairs(&self) -> impl Iterator<Item = (S, Amount)> + Clone + use<S, N> {
        pairs(self.selections, self.amounts)
    }

    /// Computes a metric. The inputs of the metric are looked up by their selections.
    pub fn metric<T: Metric<Selection = S>>(&self, metric: &T) -> Value
    where
        S: PartialEq,
    {
        metric.find(self.pairs())
    }
}
