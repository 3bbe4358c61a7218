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
/// [assignment](crate::measure::Monitor::assign). If the counters were set one by one, the order is
/// by counter number, with the cycle counter last.
///
/// The amount of cycles is an estimate if the cycle counter counts every 64th cycle.
///
/// The caller supplies time stamps in any unit. A reading reads the counters one after another.
/// [`RunningMonitor::SKEW`] is the maximum number of register accesses between the first and the last value.
/// Therefore two simultaneous events on different counters may fall into different intervals.
///
/// Readings do not detect the errors that [`Totals`] does not detect, for example if another party disables one
/// counter or changes its event. If the hardware [captures](RunningMonitor::read_at_once) all counters, but ignores a
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
    /// Number of cycles for each count.
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
    /// Selections as the driver programmed them; `None` after the last selection.
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
    /// This call is needed in intervals that exceed the [longest](crate::measure::longest_interval) time between two
    /// readings.
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
    /// If a reading between the two snapshots was too late to follow the wraps of a counter, its amount is
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

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::count::CountError;
    use crate::measure::CountSnapshot;
    use core::cell::Cell;
    use std::string::ToString;

    /// Two counters; the second counts the first selection.
    struct Running {
        selections: [Option<char>; 2],
        counts: [Count; 2],
        flags: Cell<u32>,
    }

    impl RunningMonitor for Running {
        type Selection = char;
        const COUNTERS: usize = 2;

        fn take_overflows(&mut self) -> u32 {
            self.flags.take()
        }

        fn acknowledged(&self) -> u32 {
            0
        }

        fn selection(&self, counter: usize) -> Option<char> {
            self.selections.get(counter).copied().flatten()
        }

        fn read(&self, counts: &mut [Count]) {
            assert_eq!(counts.len(), Self::COUNTERS);
            counts.copy_from_slice(&self.counts);
        }

        fn counter_of(&self, nth: usize) -> usize {
            if nth < 2 { 1 - nth } else { nth }
        }

        fn started_from(&self, _: usize) -> u32 {
            0
        }

        /// Selection 'c' counts every 64th cycle.
        fn divider(&self, counter: usize) -> u32 {
            if self.selection(counter) == Some('c') { 64 } else { 1 }
        }
    }

    const SELECTIONS: [Option<char>; 2] = [Some('b'), Some('a')];

    fn counts(counts: [Count; 2], flags: u32) -> Running {
        Running { selections: SELECTIONS, counts, flags: Cell::new(flags) }
    }

    fn running(first: u32, second: u32) -> Running {
        counts([first, second].map(Count::new), 0)
    }

    /// Values after an overflow of the second counter; a set flag shows that the overflow happened after the last
    /// reading.
    fn wrapping_value(first: u32, second: u32, flags: u32) -> Running {
        counts([Count::new(first), Count::invalid(second, CountError::Overflowed)], flags)
    }

    #[test]
    fn each_interval_begins_where_the_last_ended() {
        let mut pmu = running(1, 10);
        let mut intervals = Intervals::<_, 3>::of(&mut pmu, 5);
        let selections = [Some('a'), Some('b'), None];
        assert_eq!(intervals.selections(), &selections);
        let expected = |a, b| [Amount::new(a), Amount::new(b), Amount::NOT_COUNTED];
        let first = intervals.next(&mut running(4, 30), 6);
        assert_eq!(first, Interval { from: 5, to: 6, selections, amounts: expected(20, 3) });
        let pairs = [('a', Amount::new(20)), ('b', Amount::new(3))];
        assert!(first.pairs().eq(pairs));
        // Counter 1 wraps in the middle of an interval.
        intervals.update(&mut wrapping_value(4, 7, 0));
        let second = intervals.next(&mut wrapping_value(5, 8, 0b10), 9);
        assert_eq!((second.from, second.to), (6, 9));
        assert_eq!(second.amounts, expected((1 << 32) - 30 + 8, 1));
        let snapshot = intervals.snapshot(&mut wrapping_value(5, 8, 0), 10);
        assert_eq!((snapshot.at(), snapshot.amounts()), (10, expected((1 << 32) + 8, 5)));
        let pairs = [('a', Amount::new((1 << 32) + 8)), ('b', Amount::new(5))];
        assert!(snapshot.pairs().eq(pairs));
    }

    #[test]
    fn an_error_affects_only_its_own_interval() {
        let mut intervals = Intervals::<_, 1>::of(&mut running(0, 10), 0);
        let [amount] = intervals.next(&mut wrapping_value(0, 12, 0b10), 1).amounts;
        assert_eq!(amount, Amount::invalid((1 << 32) + 2, CountError::Overflowed));
        assert_eq!(intervals.next(&mut wrapping_value(0, 15, 0), 2).amounts, [Amount::new(3)]);
        let whole = intervals.snapshot(&mut wrapping_value(0, 15, 0), 3).amounts();
        assert!(whole[0].exact().is_err(), "the total is still a lower bound");

        let mut broken = counts([Count::invalid(99, CountError::BusError); 2], 0);
        let [amount] = intervals.next(&mut broken, 4).amounts;
        assert_eq!(amount.estimate(), Err(CountError::BusError));
        // This interval starts with an invalid value.
        let [amount] = intervals.next(&mut wrapping_value(0, 120, 0), 5).amounts;
        assert_eq!(amount.estimate(), Err(CountError::BusError));
        assert_eq!(intervals.next(&mut wrapping_value(0, 121, 0), 6).amounts, [Amount::new(1)]);
        // An invalid reading between two valid readings.
        intervals.update(&mut broken);
        let [amount] = intervals.next(&mut wrapping_value(0, 130, 0), 7).amounts;
        assert_eq!(amount.estimate(), Err(CountError::BusError));
    }

    /// The difference is a lower bound only if both readings are valid.
    #[test]
    fn a_bad_reading_gives_no_lower_bound() {
        let reading = |value, why| counts([Count::invalid(value, why); 2], 0);
        let full = || reading(50, CountError::Saturated);
        let mut intervals = Intervals::<_, 1>::of(&mut full(), 0);
        let mut disturbed = reading(51, CountError::Disturbed);
        let [amount] = intervals.next(&mut disturbed, 1).amounts;
        assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Disturbed), 0));
        let whole = intervals.snapshot(&mut full(), 2).amounts();
        assert_eq!(whole, [Amount::invalid(50, CountError::Saturated)]);
        // This interval starts with an invalid value.
        let [amount] = intervals.next(&mut full(), 3).amounts;
        assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Disturbed), 0));
        let [amount] = intervals.next(&mut full(), 4).amounts;
        assert_eq!((amount.exact(), amount.lower_bound()), (Err(CountError::Saturated), 0));
    }

    #[test]
    fn counts_of_another_selection_are_disturbed() {
        let mut intervals = Intervals::<_, 2>::of(&mut running(0, 10), 0);
        let first = intervals.snapshot(&mut running(0, 10), 0);
        let mut other = running(5, 20);
        other.selections[1] = Some('x');
        let interval = intervals.next(&mut other, 1);
        let [a, b] = interval.amounts;
        assert_eq!((a.estimate(), b), (Err(CountError::Disturbed), Amount::new(5)));
        let mut intervals = Intervals::<_, 2>::of(&mut other, 0);
        let [a, b] = intervals.snapshot(&mut other, 0).since(&first).amounts;
        assert_eq!((a.estimate(), b), (Err(CountError::Disturbed), Amount::new(5)));
    }

    /// The amount is in cycles, although the counter counts every 64th cycle.
    #[test]
    fn every_64th_cycle_gives_an_amount_of_cycles() {
        let with_cycles = |cycles, events| Running {
            selections: [Some('c'), Some('a')],
            ..running(cycles, events)
        };
        let cycles = |counts| Amount::new(counts).of_each(64);
        let mut intervals = Intervals::<_, 2>::of(&mut with_cycles(1, 50), 0);
        let mut pmu = with_cycles(11, 690);
        let interval = intervals.next(&mut pmu, 1);
        assert_eq!(interval.amounts, [Amount::new(640), cycles(10)]);
        let snapshot = intervals.snapshot(&mut pmu, 2);
        assert_eq!(snapshot.amounts(), [Amount::new(690), cycles(11)]);
        let snapshot = CountSnapshot::<_, 2>::of(&pmu);
        assert!(snapshot.amounts().eq([('a', Amount::new(690)), ('c', cycles(11))]));
        assert_eq!(snapshot.to_string(), "          690  a\n         ~704  c");
        assert_eq!(snapshot.count('c'), Count::new(11));

        crate::metric! {
            Rate, "RATE", Ratio;
            doc "Events for each cycle.";
            formula "A / C" "";
            caveat "";
            source "";
            inputs(self) -> [char; 2] {
                0 events: 'a',
                1 cycles: 'c',
            }
            events / cycles
        }

        assert_eq!(interval.metric(&Rate).to_string(), "~1.000  (640 / 640)");
        assert_eq!(snapshot.metric(&Rate).to_string(), "~0.980  (690 / 704)");
    }

    #[test]
    fn unused_counters_are_skipped() {
        let mut pmu = running(7, 10);
        pmu.selections[1] = None;
        assert_eq!(counters_in_use(&pmu), [0, usize::MAX, usize::MAX]);
        let mut intervals = Intervals::<_, 1>::of(&mut pmu, 0);
        assert_eq!(intervals.selections(), &[Some('b')]);
        assert_eq!(intervals.snapshot(&mut pmu, 0).amounts(), [Amount::new(7)]);
    }

    #[test]
    fn snapshots_in_the_wrong_order_are_disturbed() {
        let mut intervals = Intervals::<_, 1>::of(&mut running(0, 10), 0);
        let early = intervals.snapshot(&mut running(0, 11), 1);
        let later = intervals.snapshot(&mut running(0, 14), 2);
        assert_eq!(later.since(&early).amounts, [Amount::new(3)]);
        let [amount] = early.since(&later).amounts;
        assert_eq!(amount.estimate(), Err(CountError::Disturbed));
    }
}
