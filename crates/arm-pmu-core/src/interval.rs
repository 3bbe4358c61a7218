//! Rows of amounts from a PMU that counts on.

use crate::totals::Reading;
use crate::{Amount, Count, Counting, Totals};

/// No PMU has more counters: 32 flags are a word, and there may be a cycle counter.
const MOST_COUNTERS: usize = 33;

/// What happens in each interval of a long run, from readings of a PMU that counts on.
///
/// Each interval begins at the very reading that the one before ended with, so that the sum over all
/// intervals is what was counted, and nothing is missing in between. Amounts have 64 bits and are right
/// across wraps of the counters, on the condition that [`Totals`] states: fewer than 2^32 events of each
/// counter between two readings. [`update`](Self::update) is a reading that ends no interval.
///
/// Time stamps are the caller's, in any unit. How far apart in time the counters themselves are read is
/// [`Counting::SKEW`]: an event that happens during the reading of a row may be part of this row for one
/// counter and of the next row for another, and never of both or of none.
///
/// ```
/// use arm_pmu_core::{Count, Counting, Intervals};
///
/// /// One counter.
/// struct Running(u32);
///
/// impl Counting for Running {
///     const COUNTERS: usize = 1;
///     fn take_overflows(&mut self) -> u32 {
///         0
///     }
///     fn read(&self, counts: &mut [Count]) {
///         counts.fill(Count::exactly(self.0));
///     }
///     fn started_from(&self, _: usize) -> u32 {
///         0
///     }
/// }
///
/// let mut running = Running(100);
/// let mut intervals = Intervals::of(&mut running, ["reads"], 0);
/// for (seconds, count) in [(1, 150), (2, 950)] {
///     running.0 = count;
///     let interval = intervals.next(&mut running, seconds);
///     println!("{} to {} s: {} reads", interval.from, interval.to, interval.amounts[0]);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Intervals<S, const N: usize> {
    selections: [S; N],
    /// The number of the counter of each.
    counters: [usize; N],
    totals: Totals<N>,
    last: Snapshot<N>,
}

/// What was counted from the start up to one reading. Two of them make an [`Interval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot<const N: usize> {
    at: u64,
    readings: [Reading; N],
}

/// What was counted between two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval<const N: usize> {
    /// The time stamp of its beginning.
    pub from: u64,
    /// The time stamp of its end.
    pub to: u64,
    /// How much of each selection, in the order that was asked for.
    #[cfg_attr(feature = "serde", serde(with = "crate::formats::arrays"))]
    pub amounts: [Amount; N],
}

impl<S, const N: usize> Intervals<S, N> {
    /// The first interval begins now, at the time `at`.
    ///
    /// The selections are those that the PMU was [assigned](crate::Monitor::assign), or as many of them
    /// from the first on as are to be looked at. Who has set the counters one by one names what they
    /// count in the order of the counters, the cycle counter last.
    pub fn of<C: Counting>(running: &mut C, selections: [S; N], at: u64) -> Self {
        let counters = core::array::from_fn(|nth| running.counter_of(nth));
        let (flags, all) = read(running);
        let totals = Totals::begin(&counters, flags, &pick(&all, &counters), running);
        let last = Snapshot { at, readings: totals.readings() };
        Self { selections, counters, totals, last }
    }

    /// What is counted.
    #[must_use]
    pub const fn selections(&self) -> &[S; N] {
        &self.selections
    }

    /// Keeps up with the counters, so that none wraps unseen: for intervals that are longer than
    /// [that](crate::longest_interval).
    pub fn update<C: Counting>(&mut self, running: &mut C) {
        let (flags, all) = read(running);
        self.totals.add(&self.counters, flags, &pick(&all, &self.counters), running);
    }

    /// What was counted up to now, the time `at`. It ends no interval.
    pub fn snapshot<C: Counting>(&mut self, running: &mut C, at: u64) -> Snapshot<N> {
        self.update(running);
        Snapshot { at, readings: self.totals.readings() }
    }

    /// Ends an interval now, at the time `at`, and begins the next.
    #[must_use = "what happened in the interval is told once"]
    pub fn next<C: Counting>(&mut self, running: &mut C, at: u64) -> Interval<N> {
        let now = self.snapshot(running, at);
        let interval = now.since(&self.last);
        self.last = now;
        interval
    }
}

impl<const N: usize> Snapshot<N> {
    /// The time stamp.
    #[must_use]
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// What was counted from the start of the PMU up to here.
    #[must_use]
    pub fn amounts(&self) -> [Amount; N] {
        self.readings.map(Reading::amount)
    }

    /// What was counted between an `earlier` snapshot of the same [`Intervals`] and this one.
    ///
    /// An overflow that was found out between the two makes an amount
    /// [overflowed](crate::Inexact::Overflowed), and only a lower bound; one before the earlier snapshot
    /// does not matter. A reading that failed on the way spoils the amount. So does a wrong order: the
    /// amount is [lost](crate::Inexact::Lost) if the counter moved.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Interval<N> {
        let amounts = core::array::from_fn(|nth| self.readings[nth].since(earlier.readings[nth]));
        Interval { from: earlier.at, to: self.at, amounts }
    }
}

/// The flags, and after them all counters: see [`Totals::update`].
pub(crate) fn read<C: Counting>(running: &mut C) -> (u32, [Count; MOST_COUNTERS]) {
    let flags = running.take_overflows();
    let mut all = [Count::NOTHING; MOST_COUNTERS];
    if let Some(there) = all.get_mut(..C::COUNTERS.min(MOST_COUNTERS)) {
        running.read_at_once(there);
    }
    (flags, all)
}

/// What these counters counted; [`Count::NOTHING`] of one that is not there.
pub(crate) fn pick<const N: usize>(all: &[Count], counters: &[usize; N]) -> [Count; N] {
    counters.map(|counter| all.get(counter).copied().unwrap_or(Count::NOTHING))
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::Inexact;
    use core::cell::Cell;

    /// Two counters, of which the second counts what was selected first.
    struct Running {
        counts: [Count; 2],
        flags: Cell<u32>,
    }

    impl Counting for Running {
        const COUNTERS: usize = 2;

        fn take_overflows(&mut self) -> u32 {
            self.flags.take()
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
    }

    fn running(first: u32, second: u32) -> Running {
        Running { counts: [first, second].map(Count::exactly), flags: Cell::new(0) }
    }

    #[test]
    fn each_interval_begins_where_the_last_ended() {
        let mut pmu = running(1, 10);
        let mut intervals = Intervals::of(&mut pmu, ['a', 'b', 'c'], 5);
        assert_eq!(intervals.selections(), &['a', 'b', 'c']);
        let expected = |a, b| [Amount::exactly(a), Amount::exactly(b), Amount::NOTHING];
        let first = intervals.next(&mut running(4, 30), 6);
        assert_eq!(first, Interval { from: 5, to: 6, amounts: expected(20, 3) });
        // In between, counter 1 wraps. Nobody ends an interval then.
        intervals.update(&mut running(4, 7));
        let mut pmu = running(5, 8);
        pmu.flags.set(0b10);
        let second = intervals.next(&mut pmu, 9);
        assert_eq!((second.from, second.to), (6, 9));
        assert_eq!(second.amounts, expected((1 << 32) - 30 + 8, 1));
        let snapshot = intervals.snapshot(&mut running(5, 8), 10);
        assert_eq!((snapshot.at(), snapshot.amounts()), (10, expected((1 << 32) + 8, 5)));
    }

    #[test]
    fn what_went_wrong_is_told_of_its_interval_alone() {
        let mut intervals = Intervals::of(&mut running(0, 10), ['a'], 0);
        let mut late = running(0, 12);
        late.flags.set(0b10);
        let [amount] = intervals.next(&mut late, 1).amounts;
        assert_eq!(amount, Amount::doubtful((1 << 32) + 2, Inexact::Overflowed));
        assert_eq!(intervals.next(&mut running(0, 15), 2).amounts, [Amount::exactly(3)]);
        let whole = intervals.snapshot(&mut running(0, 15), 3).amounts();
        assert!(whole[0].exact().is_err(), "of the whole it is still true");

        let failed = Count::doubtful(99, Inexact::Fault);
        let mut broken = Running { counts: [failed; 2], flags: Cell::new(0) };
        let [amount] = intervals.next(&mut broken, 4).amounts;
        assert_eq!(amount.estimate(), Err(Inexact::Fault));
        // It begins with a value that nobody can rely on.
        let [amount] = intervals.next(&mut running(0, 120), 5).amounts;
        assert_eq!(amount.estimate(), Err(Inexact::Fault));
        assert_eq!(intervals.next(&mut running(0, 121), 6).amounts, [Amount::exactly(1)]);
        // A bad reading between two good ones.
        intervals.update(&mut broken);
        let [amount] = intervals.next(&mut running(0, 130), 7).amounts;
        assert_eq!(amount.estimate(), Err(Inexact::Fault));
    }

    #[test]
    fn snapshots_in_the_wrong_order_are_no_interval() {
        let mut intervals = Intervals::of(&mut running(0, 10), ['a'], 0);
        let early = intervals.snapshot(&mut running(0, 11), 1);
        let later = intervals.snapshot(&mut running(0, 14), 2);
        assert_eq!(later.since(&early).amounts, [Amount::exactly(3)]);
        let [amount] = early.since(&later).amounts;
        assert_eq!(amount.estimate(), Err(Inexact::Lost));
    }
}
