//! Counts of 64 bits from counters of 32.

use crate::{Amount, Count, Inexact};

/// A PMU that counts: what all drivers of this family can do between start and stop. Their structs are
/// called `Running`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a running PMU",
    note = "the `start` method of a `Pmu` gives one"
)]
pub trait Counting {
    /// How many counters there are. The cycle counter, where there is one beside the event counters, is
    /// the last.
    const COUNTERS: usize;

    /// How far apart in time the counters are read by [`read_at_once`](Self::read_at_once): from the
    /// value of the first to the value of the last so many register accesses are made, at the most, as
    /// long as no counter wraps meanwhile. 0 if all are of one instant. `None` if nobody said.
    const SKEW: Option<u32> = None;

    /// Clears the overflow flags that are up, and tells which they were: one bit for each counter.
    fn take_overflows(&mut self) -> u32;

    /// Puts into `counts` what the first counters counted up to this moment: [`Count::NOTHING`] of one
    /// that is not in use, or is not there.
    fn read(&self, counts: &mut [Count]);

    /// As [`read`](Self::read), with as little [skew](Self::SKEW) as the PMU allows. Where the hardware
    /// can copy all counters at one instant, this asks it to, and an earlier copy is gone.
    fn read_at_once(&mut self, counts: &mut [Count]) {
        self.read(counts);
    }

    /// The number of the counter that counts the `nth` of the selections that the PMU was
    /// [assigned](crate::Monitor::assign).
    fn counter_of(&self, nth: usize) -> usize {
        nth
    }

    /// The value that a counter started from. 0 unless it was told otherwise.
    fn started_from(&self, counter: usize) -> u32;
}

/// The totals of the first `N` counters of a running PMU, in 64 bits.
///
/// Call [`update`](Self::update) often enough: from a timer, in the handler of the overflow interrupt, or
/// both. As long as fewer than 2^32 events of a counter happen between two calls, nothing is lost and
/// nothing is counted twice, whatever happens between the accesses of a call.
/// [`longest_interval`] tells how often that is.
///
/// # What is found out when it was not
///
/// An overflow flag tells that a counter passed its end, not how often. A counter that passed its end
/// and is yet not below where it was went all the way round: its total is from then on
/// [overflowed](Inexact::Overflowed), and only a lower bound. That it went round *more* often, or that a
/// flag comes from an overflow which was counted before its flag was seen, cannot be told from the
/// outside; the promise is the caller's.
///
/// ```
/// use arm_pmu_core::{Count, Counting, Totals};
///
/// /// A counter, and its overflow flag.
/// struct OneCounter(u32, bool);
///
/// impl Counting for OneCounter {
///     const COUNTERS: usize = 1;
///     fn take_overflows(&mut self) -> u32 {
///         core::mem::take(&mut self.1).into()
///     }
///     fn read(&self, counts: &mut [Count]) {
///         counts.fill(Count::exactly(self.0));
///     }
///     fn started_from(&self, _: usize) -> u32 {
///         0
///     }
/// }
///
/// let mut running = OneCounter(u32::MAX, false);
/// let mut totals = Totals::<1>::of(&mut running);
/// running = OneCounter(9, true);
/// totals.update(&mut running);
/// assert_eq!(totals.get(0), Ok((1 << 32) + 9));
/// ```
#[derive(Clone, Debug)]
pub struct Totals<const N: usize> {
    totals: [Total; N],
}

/// Of one counter.
#[derive(Clone, Copy, Debug)]
struct Total {
    /// Up to the last reading.
    events: u64,
    /// What the counter held then, with the value that it started from.
    last: u32,
    /// Whether it was seen to have wrapped before its flag was: then the flag is still to come.
    flag_to_come: bool,
    inexact: Option<Inexact>,
    /// How often it was found out that an update came too late.
    late: u32,
    /// How often a reading could not be believed, and whether the last one could.
    doubts: u32,
    doubt: Option<Inexact>,
}

/// What a total was at one reading, to compare with a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    events: u64,
    inexact: Option<Inexact>,
    late: u32,
    doubts: u32,
    doubt: Option<Inexact>,
}

impl Reading {
    /// The events up to this reading.
    pub(crate) const fn amount(self) -> Amount {
        match self.inexact {
            None => Amount::exactly(self.events),
            Some(why) => Amount::doubtful(self.events, why),
        }
    }

    /// The events between an earlier reading and this one. What went wrong before the earlier one, and
    /// was over by then, does not count against them.
    pub(crate) const fn since(self, earlier: Self) -> Amount {
        let Some(events) = self.events.checked_sub(earlier.events) else {
            return Amount::doubtful(0, Inexact::Lost);
        };
        if let Some(why) = earlier.doubt {
            return Amount::doubtful(events, why);
        }
        match self.inexact {
            Some(why) if self.doubts != earlier.doubts => Amount::doubtful(events, why),
            _ if self.late != earlier.late => Amount::doubtful(events, Inexact::Overflowed),
            _ => Amount::exactly(events),
        }
    }
}

impl<const N: usize> Totals<N> {
    /// Counts from where the counters stand: what they counted since the start is part of the totals.
    ///
    /// Overflow flags that are up are taken: the totals know of that overflow.
    pub fn of(running: &mut impl Counting) -> Self {
        let flags = running.take_overflows();
        let mut counts = [Count::NOTHING; N];
        running.read(&mut counts);
        Self::begin(&core::array::from_fn(|counter| counter), flags, &counts, running)
    }

    /// Begins at a start from zero, without a reading.
    pub(crate) const fn from_zero() -> Self {
        let total = Total {
            events: 0,
            last: 0,
            flag_to_come: false,
            inexact: None,
            late: 0,
            doubts: 0,
            doubt: None,
        };
        Self { totals: [total; N] }
    }

    /// The total of a counter that was stopped at this count: fewer than 2^32 events after the last
    /// update. [`Amount::NOTHING`] if it is not there.
    pub(crate) fn at_stop(&self, nth: usize, count: Count) -> Amount {
        let Some(total) = self.totals.get(nth) else { return Amount::NOTHING };
        let since = count.wrapped().wrapping_sub(total.events as u32);
        let events = total.events.saturating_add(since.into());
        match hard(count).or(total.inexact) {
            None => Amount::exactly(events),
            Some(why) => Amount::doubtful(events, why),
        }
    }

    /// Begins with what these counters hold.
    pub(crate) fn begin(
        counters: &[usize; N],
        flags: u32,
        counts: &[Count; N],
        running: &impl Counting,
    ) -> Self {
        let totals = core::array::from_fn(|nth| {
            let (counter, count) = (counters[nth], counts[nth]);
            let flag = is_up(flags, counter);
            Total {
                // A flag that was up is of one overflow, the caller promises. A driver that knows of it
                // has counted it.
                events: count.at_least() + if flag && !count.overflowed() { 1 << 32 } else { 0 },
                last: held(running, counter, count),
                flag_to_come: false,
                inexact: hard(count),
                late: 0,
                doubts: 0,
                doubt: hard(count),
            }
        });
        Self { totals }
    }

    /// Adds what was counted since the last call.
    pub fn update(&mut self, running: &mut impl Counting) {
        // Flags first: an overflow after that is counted now, and its flag comes with the next call.
        let flags = running.take_overflows();
        let mut counts = [Count::NOTHING; N];
        running.read(&mut counts);
        self.add(&core::array::from_fn(|counter| counter), flags, &counts, running);
    }

    /// Adds what these counters counted.
    pub(crate) fn add(
        &mut self,
        counters: &[usize; N],
        flags: u32,
        counts: &[Count; N],
        running: &impl Counting,
    ) {
        for ((total, counter), count) in self.totals.iter_mut().zip(counters).zip(counts) {
            total.add(is_up(flags, *counter), held(running, *counter, *count), *count);
        }
    }

    /// What the totals were at the last update.
    pub(crate) fn readings(&self) -> [Reading; N] {
        self.totals.map(|total| {
            let Total { events, inexact, late, doubts, doubt, .. } = total;
            Reading { events, inexact, late, doubts, doubt }
        })
    }

    /// The totals of all counters, up to the last [update](Self::update).
    #[must_use]
    pub fn amounts(&self) -> [Amount; N] {
        self.readings().map(Reading::amount)
    }

    /// The events of a counter, up to the last [update](Self::update).
    ///
    /// # Errors
    ///
    /// The reason, if the number is not that: see [`at_least`](Self::at_least) after an overflow that came
    /// too fast. [`Inexact::NotCounted`] if the counter is not in use.
    pub const fn get(&self, counter: usize) -> Result<u64, Inexact> {
        if counter >= N {
            return Err(Inexact::NotCounted);
        }
        match self.totals[counter].inexact {
            None => Ok(self.totals[counter].events),
            Some(why) => Err(why),
        }
    }

    /// A number that the events certainly reached, if every call came in time or was found out to be late.
    /// 0 if nothing is certain.
    #[must_use]
    pub const fn at_least(&self, counter: usize) -> u64 {
        if counter >= N {
            return 0;
        }
        match self.totals[counter].inexact {
            None | Some(Inexact::Overflowed) => self.totals[counter].events,
            Some(_) => 0,
        }
    }
}

impl Total {
    fn add(&mut self, flag: bool, now: u32, count: Count) {
        let wrapped = now < self.last;
        self.events += u64::from(now.wrapping_sub(self.last));
        self.last = now;
        if flag && !wrapped && !self.flag_to_come {
            // All the way round: at least that often.
            self.events += 1 << 32;
            self.inexact = self.inexact.or(Some(Inexact::Overflowed));
            self.late = self.late.wrapping_add(1);
        }
        self.flag_to_come = wrapped && (!flag || self.flag_to_come);
        self.doubt = hard(count);
        self.doubts = self.doubts.wrapping_add(self.doubt.is_some().into());
        self.inexact = self.doubt.or(self.inexact);
    }
}

/// Whether the flag of this counter is among those that were up.
fn is_up(flags: u32, counter: usize) -> bool {
    counter < u32::BITS as usize && flags >> counter & 1 == 1
}

/// What the counter itself holds: flags come up when that wraps.
fn held(running: &impl Counting, counter: usize, count: Count) -> u32 {
    count.wrapped().wrapping_add(running.started_from(counter))
}

/// What speaks against a count that is no mere overflow.
const fn hard(count: Count) -> Option<Inexact> {
    match count.exact() {
        Ok(_) | Err(Inexact::Overflowed) => None,
        Err(why) => Some(why),
    }
}

/// The longest time between two updates of [`Totals`] that loses nothing, in seconds, rounded down.
///
/// `rate` is the most events of one counter per second: for cycles, the clock in hertz divided by the
/// divider; for an event, how often it can happen at most. It is not known to any driver. `None` if
/// there is no limit, because nothing can happen.
///
/// ```
/// // Cycles of a core at 1 GHz, and every 64th of them.
/// assert_eq!(arm_pmu_core::longest_interval(1_000_000_000), Some(4));
/// assert_eq!(arm_pmu_core::longest_interval(1_000_000_000 / 64), Some(274));
/// ```
#[must_use]
pub const fn longest_interval(rate: u64) -> Option<u64> {
    // Fewer than 2^32 events.
    (u32::MAX as u64).checked_div(rate)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use core::cell::Cell;
    use std::vec::Vec;

    /// A counter that counts on at every access.
    struct Busy {
        events: Cell<u64>,
        flag: Cell<bool>,
        /// So many events happen before each access, in turn; then none.
        before_access: Vec<u64>,
        accesses: Cell<usize>,
        /// Part of `events`.
        from: u32,
    }

    impl Busy {
        fn new(start: u64, before_access: &[u64]) -> Self {
            Self {
                events: Cell::new(start),
                flag: Cell::new(false),
                before_access: before_access.to_vec(),
                accesses: Cell::new(0),
                from: 0,
            }
        }

        fn happen(&self, events: u64) {
            let before = self.events.get();
            self.events.set(before + events);
            if before >> 32 != (before + events) >> 32 {
                self.flag.set(true);
            }
        }

        fn access(&self) {
            let nth = self.accesses.get();
            self.accesses.set(nth + 1);
            self.happen(self.before_access.get(nth).copied().unwrap_or(0));
        }
    }

    impl Counting for Busy {
        const COUNTERS: usize = 1;

        /// A read of the flag, then a write that clears it if it was up, as drivers do.
        fn take_overflows(&mut self) -> u32 {
            self.access();
            let up = self.flag.get();
            self.access();
            if up {
                self.flag.set(false);
            }
            up.into()
        }

        fn read(&self, counts: &mut [Count]) {
            self.access();
            counts.fill(Count::exactly((self.events.get() as u32).wrapping_sub(self.from)));
        }

        fn started_from(&self, _: usize) -> u32 {
            self.from
        }
    }

    const HALF: u64 = 1 << 31;

    /// Four updates, with any of these numbers of events before each access: fewer than 2^32 between two
    /// readings.
    #[test]
    fn nothing_is_lost_or_counted_twice_whatever_happens_between_accesses() {
        let choices = [0, 1, HALF - 1, 3 << 30];
        let accesses = 3 * 3;
        let mut tried = 0;
        for pattern in 0..(choices.len() as u64).pow(accesses as u32) {
            let mut rest = pattern;
            let events: Vec<u64> = (0..accesses)
                .map(|_| {
                    let choice = choices[(rest % choices.len() as u64) as usize];
                    rest /= choices.len() as u64;
                    choice
                })
                .collect();
            // From one reading of the counter to the next.
            if events.chunks(3).any(|between| between.iter().sum::<u64>() >= 1 << 32) {
                continue;
            }
            let mut running = Busy::new(0, &[]);
            let mut totals = Totals::<1>::of(&mut running);
            running = Busy { before_access: events, ..Busy::new(0, &[]) };
            for _ in 0..3 {
                totals.update(&mut running);
                assert_eq!(totals.get(0), Ok(running.events.get()), "{pattern}");
            }
            tried += 1;
        }
        assert!(tried > 1_000, "{tried}");
    }

    #[test]
    fn a_whole_round_is_found_out() {
        let mut running = Busy::new(5, &[]);
        let mut totals = Totals::<1>::of(&mut running);
        running.happen((1 << 32) + 7);
        totals.update(&mut running);
        assert_eq!(totals.get(0), Err(Inexact::Overflowed));
        assert_eq!(totals.at_least(0), (1 << 32) + 12);
        running.happen(1);
        totals.update(&mut running);
        assert_eq!((totals.get(0), totals.at_least(0)), (Err(Inexact::Overflowed), (1 << 32) + 13));
    }

    #[test]
    fn a_round_that_ends_where_it_began_is_found_out() {
        let mut running = Busy::new(5, &[]);
        let mut totals = Totals::<1>::of(&mut running);
        totals.update(&mut running);
        running.happen(1 << 32);
        totals.update(&mut running);
        assert_eq!((totals.get(0), totals.at_least(0)), (Err(Inexact::Overflowed), 1 << 32 | 5));
        assert_eq!(totals.amounts(), [Amount::doubtful(1 << 32 | 5, Inexact::Overflowed)]);
    }

    #[test]
    fn there_are_flags_for_32_counters() {
        assert!(is_up(0b10, 1) && !is_up(0b10, 0) && is_up(1 << 31, 31));
        assert!(!is_up(u32::MAX, 32) && !is_up(u32::MAX, usize::MAX));
    }

    #[test]
    fn an_overflow_before_the_first_reading_is_part_of_the_total() {
        let mut running = Busy::new(0, &[]);
        running.happen((1 << 32) + 7);
        let mut totals = Totals::<1>::of(&mut running);
        assert_eq!(totals.at_least(0), 1 << 32 | 7);
        running.happen(3);
        totals.update(&mut running);
        assert_eq!(totals.at_least(0), 1 << 32 | 10);
    }

    #[test]
    fn a_value_to_start_from_is_not_counted() {
        let from = u32::MAX - 9;
        let mut running = Busy { from, ..Busy::new(from.into(), &[]) };
        let mut totals = Totals::<1>::of(&mut running);
        assert_eq!(totals.get(0), Ok(0));
        for _ in 0..10 {
            running.happen(HALF);
            totals.update(&mut running);
        }
        assert_eq!(totals.get(0), Ok(10 * HALF));
    }

    #[test]
    fn what_spoils_a_count_spoils_the_total() {
        struct Lost(Count);
        impl Counting for Lost {
            const COUNTERS: usize = 1;
            fn take_overflows(&mut self) -> u32 {
                0
            }
            fn read(&self, counts: &mut [Count]) {
                counts.fill(self.0);
            }
            fn started_from(&self, _: usize) -> u32 {
                0
            }
        }
        for why in [Inexact::Lost, Inexact::Fault, Inexact::NotCounted] {
            let mut totals = Totals::<1>::of(&mut Lost(Count::exactly(5)));
            totals.update(&mut Lost(Count::doubtful(9, why)));
            totals.update(&mut Lost(Count::exactly(10)));
            assert_eq!((totals.get(0), totals.at_least(0)), (Err(why), 0));
            assert_eq!(Totals::<1>::of(&mut Lost(Count::doubtful(9, why))).get(0), Err(why));
        }
        let totals = Totals::<1>::of(&mut Lost(Count::exactly(5)));
        assert_eq!((totals.get(1), totals.at_least(1)), (Err(Inexact::NotCounted), 0));
    }

    #[test]
    fn intervals_are_short_enough() {
        assert_eq!(longest_interval(0), None);
        assert_eq!(longest_interval(1), Some(u64::from(u32::MAX)));
        assert_eq!(longest_interval(u64::from(u32::MAX)), Some(1));
        assert_eq!(longest_interval(1 << 32), Some(0));
    }
}
