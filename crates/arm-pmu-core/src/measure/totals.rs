//! 64-bit counts from 32-bit counters.

use super::running::{MOST_COUNTERS, RunningMonitor};
use crate::count::{Amount, Count, CountError};

/// 64-bit totals of the first `N` counters of a running PMU.
///
/// Call [`of`](Self::of) before any counter overflows, ideally right after the start. Then call
/// [`update`](Self::update) often enough: from a timer, in the handler of the overflow interrupt, or both. A total is
/// correct if fewer than 2^32 events happen from the beginning of one call to the end of the next call. Counters may
/// wrap between any two accesses of a call. [`longest_interval`] computes the longest time between two calls.
///
/// # Errors that are detected
///
/// An overflow flag is one bit: it shows that a counter overflowed, but not how often.
///
/// - The total of a counter that overflowed before [`of`](Self::of) is a lower bound
///   ([overflowed](CountError::Overflowed)).
/// - If a counter overflowed since the last call and its value is not below the last value, at least 2^32 events
///   happened, and the total becomes a lower bound. A call detects such an overflow even if the driver acknowledged it
///   in between. A call does not detect the overflow if the flag may belong to an earlier overflow: one that happened
///   during the last call, or one whose flag another call has cleared.
/// - The total of a [saturating](CountError::Saturated) counter is a lower bound as soon as the counter is full.
/// - A counter that goes backwards without an overflow is [disturbed](CountError::Disturbed): the PMU was
///   restarted, or other software wrote the counter.
/// - A counter that reads as all ones, with an overflow flag that cannot be cleared, results in
///   [`CountError::BusError`]: the device does not answer.
///
/// # Errors that are not detected
///
/// - The registers look the same after 2^32 and after 2^33 events between two calls.
/// - An overflow during a call may set its flag too late for this call. If 2^32 events follow before the end of
///   the next call, the total after that call is 2^32 too low.
/// - If another party disables a counter or changes its event, only the stop detects it. Until then, the
///   total lacks events or includes another event. Therefore also check the counts after the stop.
/// - If a counter reads as a wrong value, but its control registers and flags are correct, the total is wrong.
/// - If a PMU is restarted and then counts beyond its previous values, the totals do not show the restart.
///   Begin new totals at each start.
///
/// ```
/// use arm_pmu_core::count::Count;
/// use arm_pmu_core::measure::{RunningMonitor, Totals};
///
/// /// A counter, its overflow flag, and whether the flag was ever cleared.
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

/// Total of one counter.
#[derive(Clone, Copy, Debug)]
struct Total {
    /// Number of events up to the last reading.
    events: u64,
    /// Counter value at the last reading, without subtracting the start value.
    last: u32,
    /// Whether the value showed a wrap whose flag has not been read yet.
    flag_pending: bool,
    inexact: Option<CountError>,
    /// Number of updates that came too late.
    late_updates: u32,
    /// Number of invalid readings.
    errors: u32,
    /// Reason why the last reading was invalid.
    error: Option<CountError>,
}

/// State of a total at one reading, for comparison with a later reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    events: u64,
    inexact: Option<CountError>,
    late_updates: u32,
    errors: u32,
    error: Option<CountError>,
}

impl Reading {
    /// Returns the events up to this reading.
    pub(crate) const fn amount(self) -> Amount {
        match self.inexact {
            None => Amount::new(self.events),
            Some(why) => Amount::invalid(self.events, why),
        }
    }

    /// Returns the events between an earlier reading and this reading.
    ///
    /// An error that ended before the earlier reading does not make the result inexact.
    pub(crate) const fn since(self, earlier: Self) -> Amount {
        let Some(events) = self.events.checked_sub(earlier.events) else {
            return Amount::invalid(0, CountError::Disturbed);
        };
        match (earlier.error, self.error) {
            // A difference is a lower bound only if both readings are lower bounds.
            (Some(CountError::Saturated), Some(why)) | (Some(why), _) => {
                return Amount::invalid(events, why);
            }
            (None, _) => {}
        }
        match self.inexact {
            Some(why) if self.errors != earlier.errors => Amount::invalid(events, why),
            _ if self.late_updates != earlier.late_updates => {
                Amount::invalid(events, CountError::Overflowed)
            }
            _ => Amount::new(events),
        }
    }
}

impl<const N: usize> Totals<N> {
    /// Creates totals that include all events since the start.
    ///
    /// The total is exact if the counter did not overflow before this call, even if it wraps during the call.
    /// If the counter overflowed before this call, its total is a lower bound. The call acknowledges the set
    /// overflow flags.
    pub fn of(running: &mut impl RunningMonitor) -> Self {
        let mut counts = [Count::NOT_COUNTED; N];
        let overflowed =
            first_reading(running, &mut counts, |running, counts| running.read(counts));
        Self::begin(&core::array::from_fn(|counter| counter), overflowed, &counts, running)
    }

    /// Creates totals at a start from zero, without a reading.
    pub(crate) const fn from_zero() -> Self {
        let total = Total {
            events: 0,
            last: 0,
            flag_pending: false,
            inexact: None,
            late_updates: 0,
            errors: 0,
            error: None,
        };
        Self { totals: [total; N] }
    }

    /// Returns the total of a stopped counter with this count.
    ///
    /// The total is correct if fewer than 2^32 events happened since the last update. The result is
    /// [`Amount::NOT_COUNTED`] if there is no such counter.
    pub(crate) fn at_stop(&self, nth: usize, count: Count) -> Amount {
        let Some(total) = self.totals.get(nth) else { return Amount::NOT_COUNTED };
        let mut total = *total;
        let steps_back = total.move_to(count);
        match hard(count).or(steps_back).or(total.inexact) {
            None => Amount::new(total.events),
            Some(why) => Amount::invalid(total.events, why),
        }
    }

    /// Creates totals from the counts of a first reading.
    ///
    /// `overflowed` contains the counters that overflowed before the reading.
    pub(crate) fn begin(
        counters: &[usize; N],
        overflowed: u32,
        counts: &[Count; N],
        running: &impl RunningMonitor,
    ) -> Self {
        let totals = core::array::from_fn(|nth| {
            let (counter, count) = (counters[nth], counts[nth]);
            let is_exact = count.exact_u64().is_ok();
            let before = is_up(overflowed, counter) && !is_exact;
            let before = before.then_some(CountError::Overflowed);
            Total {
                // The total is exact even if the counter wrapped during the reading, because it can wrap only once in
                // that time.
                events: count.lower_bound(),
                last: held(running, counter, count),
                flag_pending: false,
                inexact: hard(count).or(before),
                late_updates: 0,
                errors: 0,
                error: hard(count),
            }
        });
        Self { totals }
    }

    /// Reads the counters and adds the events since the last call.
    pub fn update(&mut self, running: &mut impl RunningMonitor) {
        let mut counts = [Count::NOT_COUNTED; N];
        let flags = take_and_read(running, &mut counts, |running, counts| running.read(counts));
        self.add(&core::array::from_fn(|counter| counter), flags, &counts, running);
    }

    /// Adds the events of a reading of these counters.
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

    /// Returns the state of the totals at the last update.
    pub(crate) fn readings(&self) -> [Reading; N] {
        self.totals.map(|total| {
            let Total { events, inexact, late_updates, errors, error, .. } = total;
            Reading { events, inexact, late_updates, errors, error }
        })
    }

    /// Returns the totals of all counters at the last [update](Self::update).
    #[must_use]
    pub fn amounts(&self) -> [Amount; N] {
        self.readings().map(Reading::amount)
    }

    /// Returns the total of a counter at the last [update](Self::update).
    ///
    /// # Errors
    ///
    /// Returns the reason if the total is not exact. After [`CountError::Overflowed`],
    /// [`lower_bound`](Self::lower_bound) returns a lower bound. The error is [`CountError::NotCounted`] if
    /// the counter is not in use.
    pub const fn get(&self, counter: usize) -> Result<u64, CountError> {
        if counter >= N {
            return Err(CountError::NotCounted);
        }
        match self.totals[counter].inexact {
            None => Ok(self.totals[counter].events),
            Some(why) => Err(why),
        }
    }

    /// Returns a lower bound of the events of a counter, or 0 if no bound is known.
    ///
    /// The bound is correct unless a late call caused an error that is [not
    /// detected](Self#errors-that-are-not-detected).
    #[must_use]
    pub const fn lower_bound(&self, counter: usize) -> u64 {
        if counter >= N {
            return 0;
        }
        match self.totals[counter].inexact {
            None | Some(CountError::Overflowed | CountError::Saturated) => {
                self.totals[counter].events
            }
            Some(_) => 0,
        }
    }
}

impl Total {
    fn add(&mut self, flag: bool, now: u32, count: Count) {
        let wrapping_value = now < self.last;
        self.last = now;
        // A saturating counter does not wrap: its flag shows that the counter is full.
        let saturated = hard(count) == Some(CountError::Saturated);
        let is_exact = count.exact_u64().is_ok();
        let whole_round = flag && !wrapping_value && !self.flag_pending && !saturated && !is_exact;
        self.flag_pending = wrapping_value && (!flag || self.flag_pending);
        if whole_round {
            // The counter went around at least once, so at least 2^32 events happened.
            self.events = self.events.saturating_add(1 << 32);
            self.record_late_update();
        }
        // If the last value was invalid, a smaller value is no error.
        let steps_back = self.move_to(count).filter(|_| self.error.is_none());
        self.error = hard(count).or(steps_back);
        self.errors = self.errors.wrapping_add(self.error.is_some().into());
        self.inexact = self.error.or(self.inexact);
    }

    /// Adds the events since the last reading, assuming that there were fewer than 2^32.
    ///
    /// If the count shows more events, the call came too late. If the count shows fewer events, the counter
    /// went backwards without an overflow.
    fn move_to(&mut self, count: Count) -> Option<CountError> {
        // A saturated counter keeps its value.
        let is_saturated = count.exact() == Err(CountError::Saturated);
        let all = count.exact_u64().ok().or(is_saturated.then(|| count.wrapping_value().into()));
        if let Some(events) = all {
            let is_before = events < self.events;
            self.events = events;
            if is_before {
                // From now on, events are added correctly again.
                self.flag_pending = false;
            }
            return is_before.then_some(CountError::Disturbed);
        }
        let since = count.wrapping_value().wrapping_sub(self.events as u32);
        self.events = self.events.saturating_add(since.into());
        if self.events < count.lower_bound() {
            self.events = count.lower_bound();
            self.record_late_update();
        }
        None
    }

    fn record_late_update(&mut self) {
        self.inexact = self.inexact.or(Some(CountError::Overflowed));
        self.late_updates = self.late_updates.wrapping_add(1);
    }
}

/// Reads the counters and clears their flags, with no overflow in between.
///
/// Returns the counts, and the counters that overflowed before the reading.
pub(crate) fn first_reading<C: RunningMonitor>(
    running: &mut C,
    counts: &mut [Count],
    read: impl Fn(&mut C, &mut [Count]),
) -> u32 {
    // This call comes first, because the driver also records the flags that are cleared below as acknowledged.
    let acknowledged = running.acknowledged();
    let before = acknowledged | running.take_overflows();
    let mut flags = 0;
    // Each counter overflows at most once during this loop.
    for _ in 0..=C::COUNTERS {
        read(running, counts);
        flags = running.take_overflows();
        if flags == 0 {
            break;
        }
    }
    // A device that does not answer reads as all ones, and its flags stay set.
    mark_unreachable(flags, counts);
    before
}

/// Reads and clears the overflow flags, then reads the counters.
///
/// An overflow in between is part of the counts; the next call reads its flag.
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
    // A device that does not answer reads as all ones, and its flags stay set. On a device that answers, a counter
    // whose flag is set again has wrapped, so its value is not all ones.
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

/// Returns the counters whose values are all ones; bit `n` is counter `n`.
fn all_ones(running: &impl RunningMonitor, counts: &[Count]) -> u32 {
    let counters = counts
        .iter()
        .zip(0..u32::BITS)
        .filter(|(count, counter)| held(running, *counter as usize, **count) == u32::MAX);
    counters.fold(0, |ones, (_, counter)| ones | 1 << counter)
}

/// Returns whether the flag of this counter was set.
fn is_up(flags: u32, counter: usize) -> bool {
    counter < u32::BITS as usize && flags >> counter & 1 == 1
}

/// Returns the value of the counter itself, including the start value.
///
/// When this value wraps, the flag is set.
fn held(running: &impl RunningMonitor, counter: usize, count: Count) -> u32 {
    count.wrapping_value().wrapping_add(running.started_from(counter))
}

/// Returns the reason why a count is not exact, unless the reason is an overflow.
const fn hard(count: Count) -> Option<CountError> {
    match count.exact() {
        Ok(_) | Err(CountError::Overflowed) => None,
        Err(why) => Some(why),
    }
}

/// Reads and clears the flags, then reads all counters, as in [`Totals::update`].
pub(crate) fn read<C: RunningMonitor>(running: &mut C) -> (u32, [Count; MOST_COUNTERS]) {
    let mut all = [Count::NOT_COUNTED; MOST_COUNTERS];
    let there = &mut all[..C::COUNTERS.min(MOST_COUNTERS)];
    (take_and_read(running, there, C::read_at_once), all)
}

/// Returns the longest time between two updates of [`Totals`], in seconds.
///
/// The result is the time from the beginning of one update to the end of the next update, rounded down. The result is
/// `None` if `rate` is 0, because there is no limit.
///
/// `rate` is the highest number of events of one counter per second. The rate of a cycle counter is the
/// clock frequency in hertz divided by the divider. A driver does not know the event rate, so the caller
/// passes it.
///
/// ```
/// // The cycle counter of a core at 1 GHz: it counts every cycle, or every 64th cycle.
/// assert_eq!(arm_pmu_core::measure::longest_interval(1_000_000_000), Some(4));
/// assert_eq!(arm_pmu_core::measure::longest_interval(1_000_000_000 / 64), Some(274));
/// ```
#[must_use]
pub const fn longest_interval(rate: u64) -> Option<u64> {
    // Fewer than 2^32 events are allowed.
    (u32::MAX as u64).checked_div(rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// A device whose counter reads as `count`; from access number `from` on, all loads return
    /// ones.
    struct Fixed {
        count: Count,
        from: usize,
        accesses: Cell<usize>,
        acknowledged: bool,
    }

    impl Fixed {
        fn new(count: Count) -> Self {
            Self { count, from: usize::MAX, accesses: Cell::new(0), acknowledged: false }
        }

        fn ones(&self) -> bool {
            self.accesses.set(self.accesses.get() + 1);
            self.accesses.get() > self.from
        }
    }

    impl RunningMonitor for Fixed {
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
            let value = if ones { u32::MAX } else { self.count.wrapping_value() };
            counts.fill(match ones | self.acknowledged {
                true => Count::with_status(0, value, true, false, false),
                false => self.count,
            });
        }
        fn selection(&self, _: usize) -> Option<()> {
            Some(())
        }
        fn started_from(&self, _: usize) -> u32 {
            0
        }
    }

    #[test]
    fn a_device_reading_as_ones_is_a_bus_error() {
        for from in 0..8 {
            let mut running = Fixed { from, ..Fixed::new(Count::new(5)) };
            let mut totals = Totals::<1>::of(&mut running);
            for _ in 0..4 {
                totals.update(&mut running);
            }
            let total = (totals.get(0), totals.lower_bound(0));
            assert_eq!(total, (Err(CountError::BusError), 0), "{from}");
        }
    }

    #[test]
    fn a_backward_step_without_overflow_is_disturbed() {
        let mut totals = Totals::<1>::of(&mut Fixed::new(Count::new(100)));
        let before = totals.readings()[0];
        // The values fall because the PMU was restarted.
        totals.update(&mut Fixed::new(Count::new(5)));
        assert_eq!((totals.get(0), totals.lower_bound(0)), (Err(CountError::Disturbed), 0));
        let mut last = totals.readings()[0];
        assert_eq!(last.since(before).estimate(), Err(CountError::Disturbed));
        // Differences are correct again from the first valid reading on.
        for (value, right) in [(7, None), (10, Some(3)), (14, Some(4))] {
            totals.update(&mut Fixed::new(Count::new(value)));
            let now = totals.readings()[0];
            assert_eq!(now.since(last).exact().ok(), right);
            last = now;
        }
    }

    #[test]
    fn the_count_at_the_stop_completes_the_total() {
        let totals = Totals::<1>::of(&mut Fixed::new(Count::new(100)));
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
    fn a_count_error_invalidates_the_total() {
        for why in [CountError::Disturbed, CountError::BusError, CountError::NotCounted] {
            let mut totals = Totals::<1>::of(&mut Fixed::new(Count::new(5)));
            totals.update(&mut Fixed::new(Count::invalid(9, why)));
            totals.update(&mut Fixed::new(Count::new(10)));
            assert_eq!((totals.get(0), totals.lower_bound(0)), (Err(why), 0));
            assert_eq!(Totals::<1>::of(&mut Fixed::new(Count::invalid(9, why))).get(0), Err(why));
        }
        let totals = Totals::<1>::of(&mut Fixed::new(Count::new(5)));
        assert_eq!((totals.get(1), totals.lower_bound(1)), (Err(CountError::NotCounted), 0));
    }

    #[test]
    fn longest_interval_prevents_missed_wraps() {
        assert_eq!(longest_interval(0), None);
        assert_eq!(longest_interval(1), Some(u64::from(u32::MAX)));
        assert_eq!(longest_interval(u64::from(u32::MAX)), Some(1));
        assert_eq!(longest_interval(1 << 32), Some(0));
    }
}
