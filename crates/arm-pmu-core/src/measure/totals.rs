//! Counts of 64 bits from counters of 32.

use super::running::{MOST_COUNTERS, RunningMonitor};
use crate::count::{Amount, Count, CountError};

/// The totals of the first `N` counters of a running PMU, in 64 bits.
///
/// Call [`of`](Self::of) before any counter overflows, best right after the start. Then call
/// [`update`](Self::update) often enough: from a timer, in the handler of the overflow interrupt, or both.
/// The total of a counter is right if fewer than 2^32 of its events happen from the beginning of one call to
/// the end of the next, whatever happens between the accesses of a call. [`longest_interval`] gives the time
/// for that.
///
/// # What the totals prove
///
/// An overflow flag is one bit: it tells that a counter overflowed, and not how often.
///
/// - A counter that overflowed before [`of`](Self::of) has only a lower bound, as its total is
///   [overflowed](CountError::Overflowed) from the beginning: the driver does not know how often that was.
/// - So has a counter that overflowed since the last call and is yet not below its last value: 2^32 events
///   or more happened. This is also found if the driver acknowledged the overflow in between. It is not
///   found if the flag may be that of an earlier overflow: one that happened during the last call, or of
///   which another call took the flag.
/// - A counter that steps back without an overflow is [lost](CountError::Disturbed): the PMU was started anew, or
///   another bus master wrote the counter.
/// - A counter that reads as all ones, with an overflow flag that cannot be cleared, gives
///   [`CountError::BusError`]: the device cannot be reached.
///
/// # What they cannot prove
///
/// Of 2^33 events between two calls the registers show no more than of 2^32. If an overflow happens during
/// a call, its flag may be seen by the next call only; if 2^32 events follow before the end of that call, its
/// total is 2^32 too low.
/// A counter whose value alone reads wrong, with its control registers and flags as they should be, is not
/// told from one that counts. A PMU that was stopped, started anew and counted further than before looks
/// as if it had counted on: begin new totals at each start.
///
/// ```
/// use arm_pmu_core::count::Count;
/// use arm_pmu_core::measure::{RunningMonitor, Totals};
///
/// /// A counter, its overflow flag, and whether that was ever cleared.
/// struct OneCounter {
///     value: u32,
///     flag: bool,
///     acknowledged: bool,
/// }
///
/// impl RunningMonitor for OneCounter {
///     type Selection = &'static str;
///     const COUNTERS: usize = 1;
///     fn take_overflows(&mut self) -> u32 {
///         self.acknowledged |= self.flag;
///         core::mem::take(&mut self.flag).into()
///     }
///     fn acknowledged(&self) -> u32 {
///         self.acknowledged.into()
///     }
///     fn read(&self, counts: &mut [Count]) {
///         counts.fill(match self.flag | self.acknowledged {
///             true => Count::overflowed_from(0, self.value),
///             false => Count::new(self.value),
///         });
///     }
///     fn selection(&self, counter: usize) -> Option<&'static str> {
///         (counter == 0).then_some("reads")
///     }
///     fn started_from(&self, _: usize) -> u32 {
///         0
///     }
/// }
///
/// let mut running = OneCounter { value: u32::MAX, flag: false, acknowledged: false };
/// let mut totals = Totals::<1>::of(&mut running);
/// running.value = 9;
/// running.flag = true;
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
    inexact: Option<CountError>,
    /// How often it was found out that an update came too late.
    late: u32,
    /// How often a reading could not be believed, and whether the last one could.
    doubts: u32,
    doubt: Option<CountError>,
}

/// What a total was at one reading, to compare with a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    events: u64,
    inexact: Option<CountError>,
    late: u32,
    doubts: u32,
    doubt: Option<CountError>,
}

impl Reading {
    /// The events up to this reading.
    pub(crate) const fn amount(self) -> Amount {
        match self.inexact {
            None => Amount::new(self.events),
            Some(why) => Amount::invalid(self.events, why),
        }
    }

    /// The events between an earlier reading and this one. What went wrong before the earlier one, and
    /// was over by then, does not count against them.
    pub(crate) const fn since(self, earlier: Self) -> Amount {
        let Some(events) = self.events.checked_sub(earlier.events) else {
            return Amount::invalid(0, CountError::Disturbed);
        };
        if let Some(why) = earlier.doubt {
            return Amount::invalid(events, why);
        }
        match self.inexact {
            Some(why) if self.doubts != earlier.doubts => Amount::invalid(events, why),
            _ if self.late != earlier.late => Amount::invalid(events, CountError::Overflowed),
            _ => Amount::new(events),
        }
    }
}

impl<const N: usize> Totals<N> {
    /// Counts from where the counters stand: what they counted since the start is part of the totals.
    ///
    /// The total of a counter that did not overflow between the start and this call is exact, also if the
    /// counter wraps while it is read. That of a counter that overflowed before is a lower bound. Overflow
    /// flags that are up are acknowledged.
    pub fn of(running: &mut impl RunningMonitor) -> Self {
        let mut counts = [Count::NOT_COUNTED; N];
        let overflowed =
            first_reading(running, &mut counts, |running, counts| running.read(counts));
        Self::begin(&core::array::from_fn(|counter| counter), overflowed, &counts, running)
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
    /// update. [`Amount::NOT_COUNTED`] if it is not there.
    pub(crate) fn at_stop(&self, nth: usize, count: Count) -> Amount {
        let Some(total) = self.totals.get(nth) else { return Amount::NOT_COUNTED };
        let mut total = *total;
        let steps_back = total.move_to(count);
        match hard(count).or(steps_back).or(total.inexact) {
            None => Amount::new(total.events),
            Some(why) => Amount::invalid(total.events, why),
        }
    }

    /// Begins with what these counters hold at the first reading, of which some overflowed before.
    pub(crate) fn begin(
        counters: &[usize; N],
        overflowed: u32,
        counts: &[Count; N],
        running: &impl RunningMonitor,
    ) -> Self {
        let totals = core::array::from_fn(|nth| {
            let (counter, count) = (counters[nth], counts[nth]);
            let before = is_up(overflowed, counter).then_some(CountError::Overflowed);
            Total {
                // Exact also of a counter that wrapped during the reading: once.
                events: count.lower_bound(),
                last: held(running, counter, count),
                flag_to_come: false,
                inexact: hard(count).or(before),
                late: 0,
                doubts: 0,
                doubt: hard(count),
            }
        });
        Self { totals }
    }

    /// Adds what was counted since the last call.
    pub fn update(&mut self, running: &mut impl RunningMonitor) {
        let mut counts = [Count::NOT_COUNTED; N];
        let flags = take_and_read(running, &mut counts, |running, counts| running.read(counts));
        self.add(&core::array::from_fn(|counter| counter), flags, &counts, running);
    }

    /// Adds what these counters counted.
    pub(crate) fn add(
        &mut self,
        counters: &[usize; N],
        flags: u32,
        counts: &[Count; N],
        running: &impl RunningMonitor,
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
    /// The reason, if the number is not that: see [`lower_bound`](Self::lower_bound) after an overflow that came
    /// too fast. [`CountError::NotCounted`] if the counter is not in use.
    pub const fn get(&self, counter: usize) -> Result<u64, CountError> {
        if counter >= N {
            return Err(CountError::NotCounted);
        }
        match self.totals[counter].inexact {
            None => Ok(self.totals[counter].events),
            Some(why) => Err(why),
        }
    }

    /// A number that the events certainly reached, if every call came in time or was found out to be late.
    /// 0 if nothing is certain.
    #[must_use]
    pub const fn lower_bound(&self, counter: usize) -> u64 {
        if counter >= N {
            return 0;
        }
        match self.totals[counter].inexact {
            None | Some(CountError::Overflowed) => self.totals[counter].events,
            Some(_) => 0,
        }
    }
}

impl Total {
    fn add(&mut self, flag: bool, now: u32, count: Count) {
        let wrapping_value = now < self.last;
        self.last = now;
        let whole_round = flag && !wrapping_value && !self.flag_to_come;
        self.flag_to_come = wrapping_value && (!flag || self.flag_to_come);
        if whole_round {
            // At least that often.
            self.events = self.events.saturating_add(1 << 32);
            self.is_late();
        }
        // If the last value was wrong, this one is not blamed for it.
        let steps_back = self.move_to(count).filter(|_| self.doubt.is_none());
        self.doubt = hard(count).or(steps_back);
        self.doubts = self.doubts.wrapping_add(self.doubt.is_some().into());
        self.inexact = self.doubt.or(self.inexact);
    }

    /// Adds the events up to this count, fewer than 2^32. If the driver is sure of more, the call came too
    /// late; if it is sure of fewer, the counter stepped back without an overflow.
    fn move_to(&mut self, count: Count) -> Option<CountError> {
        let since = count.wrapping_value().wrapping_sub(self.events as u32);
        self.events = self.events.saturating_add(since.into());
        if let Ok(exactly) = count.exact() {
            if self.events == u64::from(exactly) {
                return None;
            }
            // So that what is added after this is right again.
            self.events = exactly.into();
            self.flag_to_come = false;
            return Some(CountError::Disturbed);
        }
        if self.events < count.lower_bound() {
            self.events = count.lower_bound();
            self.is_late();
        }
        None
    }

    fn is_late(&mut self) {
        self.inexact = self.inexact.or(Some(CountError::Overflowed));
        self.late = self.late.wrapping_add(1);
    }
}

/// Reads the counters so that no overflow happens between the look at the flags before and the one after,
/// and clears the flags. Gives the counters that overflowed before that.
pub(crate) fn first_reading<C: RunningMonitor>(
    running: &mut C,
    counts: &mut [Count],
    read: impl Fn(&mut C, &mut [Count]),
) -> u32 {
    // Asked before this call takes flags, which the driver does not tell apart afterwards.
    let acknowledged = running.acknowledged();
    let before = acknowledged | running.take_overflows();
    let mut flags = 0;
    // Each counter overflows once meanwhile, at the most.
    for _ in 0..=C::COUNTERS {
        read(running, counts);
        flags = running.take_overflows();
        if flags == 0 {
            break;
        }
    }
    // A device that cannot be reached, and reads as all ones, has flags that stay up.
    mark_unreachable(flags, counts);
    before
}

/// Takes the overflow flags that are up, and reads the counters after that: an overflow in between is part
/// of the counts, and its flag is still to come.
pub(crate) fn take_and_read<C: RunningMonitor>(
    running: &mut C,
    counts: &mut [Count],
    read: impl Fn(&mut C, &mut [Count]),
) -> u32 {
    let flags = running.take_overflows();
    read(running, counts);
    let ones = if flags == 0 { 0 } else { flags & all_ones(running, counts) };
    if ones == 0 {
        return flags;
    }
    // A device that cannot be reached, and reads as all ones, has flags that stay up. A counter with a flag
    // that comes up again has wrapped, and is not at its end.
    let again = running.take_overflows();
    read(running, counts);
    mark_unreachable(ones & again & all_ones(running, counts), counts);
    flags | again
}

fn mark_unreachable(counters: u32, counts: &mut [Count]) {
    for (counter, count) in counts.iter_mut().enumerate() {
        if is_up(counters, counter) {
            *count = Count::invalid(count.wrapping_value(), CountError::BusError);
        }
    }
}

/// The counters whose value is all ones.
fn all_ones(running: &impl RunningMonitor, counts: &[Count]) -> u32 {
    let counters = counts
        .iter()
        .zip(0..u32::BITS)
        .filter(|(count, counter)| held(running, *counter as usize, **count) == u32::MAX);
    counters.fold(0, |ones, (_, counter)| ones | 1 << counter)
}

/// Whether the flag of this counter is among those that were up.
fn is_up(flags: u32, counter: usize) -> bool {
    counter < u32::BITS as usize && flags >> counter & 1 == 1
}

/// What the counter itself holds: flags come up when that wraps.
fn held(running: &impl RunningMonitor, counter: usize, count: Count) -> u32 {
    count.wrapping_value().wrapping_add(running.started_from(counter))
}

/// What speaks against a count that is no mere overflow.
const fn hard(count: Count) -> Option<CountError> {
    match count.exact() {
        Ok(_) | Err(CountError::Overflowed) => None,
        Err(why) => Some(why),
    }
}

/// The flags, and after them all counters: see [`Totals::update`].
pub(crate) fn read<C: RunningMonitor>(running: &mut C) -> (u32, [Count; MOST_COUNTERS]) {
    let mut all = [Count::NOT_COUNTED; MOST_COUNTERS];
    let there = &mut all[..C::COUNTERS.min(MOST_COUNTERS)];
    (take_and_read(running, there, C::read_at_once), all)
}

/// The longest time from the beginning of one update of [`Totals`] to the end of the next, in seconds, rounded
/// down.
///
/// `rate` is the most events of one counter per second: for cycles, the clock in hertz divided by the
/// divider; for an event, how often it can happen at most. It is not known to any driver. `None` if
/// there is no limit, because nothing can happen.
///
/// ```
/// // Cycles of a core at 1 GHz, and every 64th of them.
/// assert_eq!(arm_pmu_core::measure::longest_interval(1_000_000_000), Some(4));
/// assert_eq!(arm_pmu_core::measure::longest_interval(1_000_000_000 / 64), Some(274));
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
        acknowledged: bool,
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
                flag: Cell::new(start >> 32 != 0),
                acknowledged: false,
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

    impl RunningMonitor for Busy {
        type Selection = ();
        const COUNTERS: usize = 1;

        /// A read of the flag, then a write that clears it if it was up, as drivers do.
        fn take_overflows(&mut self) -> u32 {
            self.access();
            let up = self.flag.get();
            self.access();
            if up {
                self.flag.set(false);
                self.acknowledged = true;
            }
            up.into()
        }

        fn acknowledged(&self) -> u32 {
            self.acknowledged.into()
        }

        fn read(&self, counts: &mut [Count]) {
            self.access();
            let (value, overflowed) =
                (self.events.get() as u32, self.flag.get() | self.acknowledged);
            counts.fill(Count::judged(self.from, value, overflowed, false, false));
        }

        fn selection(&self, _: usize) -> Option<()> {
            Some(())
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
        assert_eq!(totals.get(0), Err(CountError::Overflowed));
        assert_eq!(totals.lower_bound(0), (1 << 32) + 12);
        running.happen(1);
        totals.update(&mut running);
        assert_eq!(
            (totals.get(0), totals.lower_bound(0)),
            (Err(CountError::Overflowed), (1 << 32) + 13)
        );
    }

    #[test]
    fn a_round_that_ends_where_it_began_is_found_out() {
        let mut running = Busy::new(5, &[]);
        let mut totals = Totals::<1>::of(&mut running);
        totals.update(&mut running);
        running.happen(1 << 32);
        totals.update(&mut running);
        assert_eq!(
            (totals.get(0), totals.lower_bound(0)),
            (Err(CountError::Overflowed), 1 << 32 | 5)
        );
        assert_eq!(totals.amounts(), [Amount::invalid(1 << 32 | 5, CountError::Overflowed)]);
    }

    #[test]
    fn there_are_flags_for_32_counters() {
        assert!(is_up(0b10, 1) && !is_up(0b10, 0) && is_up(1 << 31, 31));
        assert!(!is_up(u32::MAX, 32) && !is_up(u32::MAX, usize::MAX));
    }

    /// The flag is up, or was acknowledged once or twice.
    #[test]
    fn an_overflow_before_the_first_reading_makes_a_lower_bound() {
        for acknowledged in 0..=2 {
            let mut running = Busy::new(0, &[]);
            for _ in 0..acknowledged {
                running.happen(1 << 32);
                assert_eq!(running.take_overflows(), 1);
            }
            running.happen(if acknowledged == 0 { (1 << 32) + 7 } else { 7 });
            let mut totals = Totals::<1>::of(&mut running);
            for more in [0, 3, 1 << 31, 1 << 31] {
                running.happen(more);
                totals.update(&mut running);
                let events = running.events.get();
                let known = events - if acknowledged == 2 { 1 << 32 } else { 0 };
                let total = (totals.get(0), totals.lower_bound(0));
                assert_eq!(total, (Err(CountError::Overflowed), known), "{acknowledged}");
            }
        }
    }

    /// Just after the start the counter wraps between any two accesses of the first call.
    #[test]
    fn the_first_reading_may_be_around_a_wrap() {
        for position in 0..12 {
            let mut before_access = std::vec![0; position];
            before_access.push(HALF);
            let mut running = Busy::new((1 << 32) - 100, &before_access);
            let mut totals = Totals::<1>::of(&mut running);
            let now = running.events.get();
            assert!([now, (1 << 32) - 100].contains(&totals.lower_bound(0)), "{position}");
            // Before the first look at the flag, it may have been any time ago.
            let before = position == 0;
            assert_eq!(totals.get(0).is_err(), before, "{position}");
            for more in [0, 1, HALF, HALF, 5, (1 << 32) + 5] {
                running.happen(more);
                totals.update(&mut running);
                assert_eq!(totals.lower_bound(0), running.events.get(), "{position}");
            }
            assert_eq!(totals.get(0), Err(CountError::Overflowed), "the last was too late");
        }
    }

    /// Reads as all ones from the access with this number on.
    struct Unreachable {
        from: usize,
        accesses: Cell<usize>,
        acknowledged: bool,
    }

    impl Unreachable {
        fn ones(&self) -> bool {
            self.accesses.set(self.accesses.get() + 1);
            self.accesses.get() > self.from
        }
    }

    impl RunningMonitor for Unreachable {
        type Selection = ();
        const COUNTERS: usize = 1;
        fn take_overflows(&mut self) -> u32 {
            let up = self.ones();
            self.acknowledged |= up;
            up.into()
        }
        fn acknowledged(&self) -> u32 {
            self.acknowledged.into()
        }
        fn read(&self, counts: &mut [Count]) {
            let ones = self.ones();
            let value = if ones { u32::MAX } else { 5 };
            counts.fill(Count::judged(0, value, ones | self.acknowledged, false, false));
        }
        fn selection(&self, _: usize) -> Option<()> {
            Some(())
        }
        fn started_from(&self, _: usize) -> u32 {
            0
        }
    }

    #[test]
    fn a_device_that_reads_as_ones_gives_no_number() {
        for from in 0..8 {
            let mut running = Unreachable { from, accesses: Cell::new(0), acknowledged: false };
            let mut totals = Totals::<1>::of(&mut running);
            for _ in 0..4 {
                totals.update(&mut running);
            }
            assert_eq!(
                (totals.get(0), totals.lower_bound(0)),
                (Err(CountError::BusError), 0),
                "{from}"
            );
        }
    }

    #[test]
    fn a_counter_that_steps_back_without_an_overflow_is_lost() {
        let mut totals = Totals::<1>::of(&mut Busy::new(100, &[]));
        let before = totals.readings()[0];
        // Started anew.
        let mut running = Busy::new(5, &[]);
        totals.update(&mut running);
        assert_eq!((totals.get(0), totals.lower_bound(0)), (Err(CountError::Disturbed), 0));
        let mut last = totals.readings()[0];
        assert_eq!(last.since(before).estimate(), Err(CountError::Disturbed));
        // What comes after the first good reading is right.
        for (more, right) in [(2, false), (3, true), (4, true)] {
            running.happen(more);
            totals.update(&mut running);
            let now = totals.readings()[0];
            assert_eq!(now.since(last).exact().ok(), right.then_some(more));
            last = now;
        }
    }

    #[test]
    fn an_overflow_that_was_acknowledged_meanwhile_is_known_of() {
        let mut running = Busy::new(100, &[]);
        let mut totals = Totals::<1>::of(&mut running);
        running.happen((1 << 32) + 7);
        assert_eq!(running.take_overflows(), 1);
        totals.update(&mut running);
        let total = (totals.get(0), totals.lower_bound(0));
        assert_eq!(total, (Err(CountError::Overflowed), (1 << 32) + 107));
    }

    #[test]
    fn the_count_at_the_stop_is_held_against_the_total() {
        let mut running = Busy::new(100, &[]);
        let totals = Totals::<1>::of(&mut running);
        let overflowed = |value| Count::invalid(value, CountError::Overflowed);
        let late = Amount::invalid((1 << 32) + 107, CountError::Overflowed);
        assert_eq!(totals.at_stop(0, overflowed(107)), late);
        assert_eq!(totals.at_stop(0, overflowed(7)), Amount::new((1 << 32) + 7));
        assert_eq!(totals.at_stop(0, Count::new(107)), Amount::new(107));
        assert_eq!(totals.at_stop(0, Count::new(7)).estimate(), Err(CountError::Disturbed));
        let fault = Count::invalid(107, CountError::BusError);
        assert_eq!(totals.at_stop(0, fault).estimate(), Err(CountError::BusError));
        assert_eq!(totals.at_stop(1, Count::new(107)), Amount::NOT_COUNTED);
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
        struct Interference(Count);
        impl RunningMonitor for Interference {
            type Selection = ();
            const COUNTERS: usize = 1;
            fn take_overflows(&mut self) -> u32 {
                0
            }
            fn acknowledged(&self) -> u32 {
                0
            }
            fn selection(&self, _: usize) -> Option<()> {
                Some(())
            }
            fn read(&self, counts: &mut [Count]) {
                counts.fill(self.0);
            }
            fn started_from(&self, _: usize) -> u32 {
                0
            }
        }
        for why in [CountError::Disturbed, CountError::BusError, CountError::NotCounted] {
            let mut totals = Totals::<1>::of(&mut Interference(Count::new(5)));
            totals.update(&mut Interference(Count::invalid(9, why)));
            totals.update(&mut Interference(Count::new(10)));
            assert_eq!((totals.get(0), totals.lower_bound(0)), (Err(why), 0));
            assert_eq!(Totals::<1>::of(&mut Interference(Count::invalid(9, why))).get(0), Err(why));
        }
        let totals = Totals::<1>::of(&mut Interference(Count::new(5)));
        assert_eq!((totals.get(1), totals.lower_bound(1)), (Err(CountError::NotCounted), 0));
    }

    #[test]
    fn intervals_are_short_enough() {
        assert_eq!(longest_interval(0), None);
        assert_eq!(longest_interval(1), Some(u64::from(u32::MAX)));
        assert_eq!(longest_interval(u64::from(u32::MAX)), Some(1));
        assert_eq!(longest_interval(1 << 32), Some(0));
    }
}
