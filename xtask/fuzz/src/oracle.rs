//! Computes the possible values of each count.
//!
//! The oracle does not use registers. The oracle uses the events (the [history](World) of a
//! program) and the moments of each call. A counter starts at some moment of the call that starts
//! it, and is read at some moment of the call that reads it. The oracle does not know these
//! moments. Therefore each count has several possible values. The checks are:
//!
//! - An exact number is one of the possible values.
//! - A lower bound is not above the largest possible value.
//! - After an overflow, the number equals a possible value modulo 2^32.
//! - A saturating counter has no exact number when it may be full, and does not wrap.
//! - The rules for exact numbers and bounds also apply to the difference of two readings, and to the
//!   metric of one selection.
//! - In a program without a second owner and without access failures, a counter in use that did not
//!   overflow has an exact number. Therefore a driver that always reports an error fails.
//! - In such a program without a diagnosis, the driver does nothing that the manual forbids. A diagnosis writes back
//!   the values that it read, and after a reset these may be reserved values.
//!
//! # Not checked, because the API documents that it cannot detect it
//!
//! - [`Totals`](arm_pmu_core::measure::Totals), [`Intervals`](arm_pmu_core::measure::Intervals) and the types built
//!   on them are right if fewer than 2^32 events of a counter happen from the beginning of one reading to the end of
//!   the next. After more events, a total is checked only where the documentation says that this is detected: one
//!   overflow flag, a counter that is not below its last value, and no earlier overflow whose flag may be missing.
//!   Counts before `Totals::of` do not matter, but fewer than 2^32 events have to happen during that call.
//! - The total of a [`Bank`](arm_pmu_core::measure::Bank) is right if fewer than 2^32 + 2^31 events of a counter happen
//!   in each slice, and exact below 2^32.
//! - If a counter overflows twice during one call, a driver may report it as disturbed. If a counter overflows while
//!   its flag is being cleared, the flag looks as if it could not be cleared, and a driver that disables all counters
//!   to clear it may report all of them as disturbed.
//! - The limit of 2^32 events between readings also applies to `Count::since` and `MultiplexedRun`.
//! - At the stop, a driver detects a second owner that changed a counter. Counts that are read from the running PMU
//!   before the stop are not checked. Each reading detects a second owner that disables the whole PMU or moves the
//!   selector.
//! - A second owner that restores its changes before the driver checks is not detected. The
//!   second owner here restores nothing. (A start overwrites earlier changes; without the class
//!   `owner-start` the second owner does nothing during a start.)
//! - A counter that a hypervisor removes and restores within one call may lack a write of the driver. In these
//!   programs, a hypervisor restores counters only between calls. Removed counters continue to count. No read of a
//!   running PMU may return the number of a removed counter, and if the number of counters changes only between
//!   calls, the driver makes no access that the manual forbids.
//! - After a loss of power, `resume` does not continue a measurement. The resume of an ARM11 detects it; the stop does
//!   on CCIs, the L2C-310 and SMMUs. The enables and events of other cores are unknown after a reset: no count is
//!   checked there until the next start.
//! - ARM11 cores and SMMUs write the new budget of a counter while it counts. Ignored stores are detected there if
//!   fewer than 2^30 events happen during the call.
//! - An SMMU that ignores the capturing store returns the values of an earlier capture. Such readings are not checked.
//! - A cycle counter with a divider may be off by less than one for each start and resume.
//! - If the second owner writes a register between the two accesses of a read-modify-write, the driver overwrites
//!   that write. In these programs, such a write follows the driver's write.
//! - `Totals` and `Intervals` do not support counters that `rearm` changes.
//! - `EventSet::schedule` forgets the pending selections. After that, counts are not checked until
//!   the next `assign`.

use std::cmp::Ordering;
use std::fmt;

use arm_pmu_core::count::{Amount, Count, CountError};
use arm_pmu_core::metric::Value;

use crate::program::CYCLES;
use crate::world::{MOST, Span, Subject, World};

/// Highest number of possible values of a count. A counter with more possible values is not
/// checked.
const MOST_POSSIBLE: usize = 200;

/// Value of a full saturating counter.
const FULL: u64 = u32::MAX as u64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// An event, or cycles.
    pub kind: u8,
    pub from: u32,
    /// Whether every 64th cycle counts.
    pub by_64: bool,
}

#[derive(Clone, Debug)]
pub struct Config {
    /// Settings in the order of counter numbers, where the cycle counter has the highest.
    pub slots: [Option<Slot>; MOST],
    pub nth_is_cycles: usize,
}

impl Config {
    pub fn new<D: Subject>() -> Self {
        Self { slots: [None; MOST], nth_is_cycles: D::SHAPE.counters.into() }
    }

    /// Returns the settings that `assign` makes; `None` if there are too few counters.
    pub fn assign<D: Subject>(list: &[u8]) -> Option<Self> {
        let counters = usize::from(D::SHAPE.counters);
        let mut config = Self::new::<D>();
        let mut event_counters = 0..counters;
        for (nth, &kind) in list.iter().enumerate() {
            let counter = if kind == CYCLES && D::SHAPE.cycle_counter {
                config.nth_is_cycles = nth;
                counters
            } else {
                event_counters.next()?
            };
            let slot = Slot { kind, from: 0, by_64: false };
            if config.slots[counter].replace(slot).is_some() {
                return None;
            }
        }
        Some(config)
    }

    /// Returns the counter of selection `nth`, in the order of assignment; if counters were set one by one, in the
    /// order of their numbers, with the cycle counter last.
    pub fn counter_of<D: Subject>(&self, nth: usize) -> Option<usize> {
        let counters = usize::from(D::SHAPE.counters);
        let exists = nth < counters + usize::from(D::SHAPE.cycle_counter);
        exists.then(|| match nth.cmp(&self.nth_is_cycles) {
            Ordering::Less => nth,
            Ordering::Equal => counters,
            Ordering::Greater => nth - 1,
        })
    }

    /// Returns the counters in use, in the order of the selections.
    pub fn in_use<D: Subject>(&self) -> impl Iterator<Item = usize> {
        let all = (0..MOST).filter_map(|nth| self.counter_of::<D>(nth));
        all.filter(|counter| self.slots[*counter].is_some())
    }

    /// Returns whether all counters are off.
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(Option::is_none)
    }
}

#[derive(Clone, Debug)]
pub struct Track {
    pub slot: Slot,
    /// Possible counts up to the last stop.
    pub before: Vec<u64>,
    /// Moments of the start after that stop.
    pub started: Option<Span>,
    pub starts: u32,
    pub void: bool,
    /// Whether the overflow flag may be from before the counter's new budget.
    pub old_flag: bool,
    pub saturates: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub kind: Kind,
    /// Step of the failure in the program.
    pub step: usize,
    /// Call that read the count.
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    WrongNumber,
    /// A lower bound above the number.
    WrongLowerBound,
    WrongModulo,
    NoNumber,
    WrongLabel,
    /// A metric of one selection is not the number of its events or cycles.
    WrongMetric,
    /// The driver accepted selections that do not fit, or rejected selections that fit.
    WrongAssign,
    Violation,
    /// The driver panicked, or a call made too many accesses.
    Panic,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongNumber => "an exact number is wrong",
            Self::WrongLowerBound => "a lower bound is too high",
            Self::WrongModulo => "the number modulo 2^32 is wrong",
            Self::NoNumber => "there is no exact number, for no reason",
            Self::WrongMetric => "a metric is wrong",
            Self::WrongLabel => "a count has the selection of another counter",
            Self::WrongAssign => "assign does not do what it should",
            Self::Violation => "the driver does what the manual forbids",
            Self::Panic => "a panic",
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    pub exact: u64,
    /// Lower bounds of counts that are not exact.
    pub bounds: u64,
    /// Number of counts that were overflowed, disturbed, bus errors, or not counted.
    pub errors: [u64; 4],
}

impl Checked {
    pub fn add(&mut self, other: &Self) {
        self.exact += other.exact;
        self.bounds += other.bounds;
        for (sum, more) in self.errors.iter_mut().zip(other.errors) {
            *sum += more;
        }
    }
}

/// A number with its validity.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    exact: Result<u64, CountError>,
    lower_bound: u64,
    /// Modulo 2^32.
    wrapping_value: Option<u32>,
}

impl From<Count> for Answer {
    fn from(count: Count) -> Self {
        let exact = count.exact_u64();
        let wrapping_value = count.overflowed().then(|| count.wrapping_value());
        Self { exact, lower_bound: count.lower_bound(), wrapping_value }
    }
}

impl From<Amount> for Answer {
    fn from(amount: Amount) -> Self {
        let exact = match amount.exact() {
            Err(CountError::Estimated) => Err(CountError::NotCounted),
            exact => exact,
        };
        Self { exact, lower_bound: amount.lower_bound(), wrapping_value: None }
    }
}

impl Answer {
    pub const fn total(exact: Result<u64, CountError>, lower_bound: u64) -> Self {
        Self { exact, lower_bound, wrapping_value: None }
    }
}

impl Track {
    /// Creates the state of a counter that has not started yet.
    pub const fn of<D: Subject>(slot: Slot) -> Self {
        let mut track = Self::new(slot);
        track.saturates = D::SHAPE.saturates;
        track
    }

    /// Creates the state of a wrapping counter that has not started yet.
    const fn new(slot: Slot) -> Self {
        Self {
            slot,
            before: Vec::new(),
            started: None,
            starts: 0,
            void: false,
            old_flag: false,
            saturates: false,
        }
    }

    /// Records a start or resume in these moments.
    pub const fn start(&mut self, span: Span) {
        self.started = Some(span);
        self.starts += 1;
    }

    /// Returns the same counter for the difference of two readings, as if it was started once.
    pub fn between_readings(&self) -> Self {
        Self { void: self.void, starts: 1, saturates: self.saturates, ..Self::new(self.slot) }
    }

    /// Returns the possible counts at these moments in events or cycles, smallest first.
    pub fn possible<D: Subject>(&self, world: &World<'_, D>, at: Span) -> Vec<u64> {
        let Some(started) = self.started else { return self.before.clone() };
        differences(world, self.slot.kind, started, at, &self.before)
    }

    /// Returns the largest or smallest number of wraps up to these moments.
    pub fn wraps<D: Subject>(&self, world: &World<'_, D>, at: Span, most: bool) -> u64 {
        if self.saturates {
            return 0;
        }
        let possible = self.possible(world, at);
        let raw = if most { possible.last() } else { possible.first() };
        raw.map_or(0, |raw| {
            let (low, high) = self.scaled(*raw);
            (if most { high } else { low }).saturating_add(self.slot.from.into()) >> 32
        })
    }

    /// Returns the smallest and the largest count for this number of events or cycles. The phase of the divider
    /// at each start and resume is unknown, so each adds an error of less than one to a count of 1/64 of the
    /// cycles.
    const fn scaled(&self, raw: u64) -> (u64, u64) {
        if !self.slot.by_64 {
            return (raw, raw);
        }
        let more = self.starts.saturating_sub(1) as u64;
        ((raw / 64).saturating_sub(more), raw.div_ceil(64) + more)
    }
}

/// Returns the possible counts between two moments, added to earlier counts.
pub fn differences<D: Subject>(
    world: &World<'_, D>,
    kind: u8,
    from: Span,
    to: Span,
    before: &[u64],
) -> Vec<u64> {
    let mut possible = Vec::with_capacity(4);
    let mut last_start = None;
    for first in from.first..=from.last {
        let start = world.sum(kind, first);
        if last_start.replace(start) == Some(start) {
            continue;
        }
        let mut last_end = None;
        for last in to.first.max(first)..=to.last {
            let end = world.sum(kind, last);
            if last_end.replace(end) == Some(end) {
                continue;
            }
            if before.is_empty() {
                possible.push(end - start);
            } else {
                possible.extend(before.iter().map(|before| before + (end - start)));
            }
        }
    }
    possible.sort_unstable();
    possible.dedup();
    possible
}

/// Compares a count with its possible values. `must` is whether the count must be exact.
pub fn check(
    checked: &mut Checked,
    track: &Track,
    possible: &[u64],
    answer: Answer,
    must: bool,
) -> Result<(), (Kind, String)> {
    let Answer { exact, lower_bound, wrapping_value } = answer;
    if track.void || possible.is_empty() || possible.len() > MOST_POSSIBLE {
        return Ok(());
    }
    let Slot { from, .. } = track.slot;
    let any = |is: &dyn Fn(u64) -> bool| {
        possible.iter().any(|raw| {
            let (low, high) = track.scaled(*raw);
            (low..=high).any(is)
        })
    };
    let text = || match exact {
        Ok(events) => format!("{events}"),
        Err(why) => format!("{why:?}, at least {lower_bound}, wrapped {wrapping_value:?}"),
    };
    let wrong = |kind| Err((kind, format!("{}; possible: {possible:?}, from {from}", text())));
    match exact {
        Ok(events) => {
            checked.exact += 1;
            if !any(&|truth| truth == events) {
                return wrong(Kind::WrongNumber);
            }
            // A full counter may have missed events.
            if track.saturates && events.saturating_add(from.into()) >= FULL {
                return wrong(Kind::WrongNumber);
            }
        }
        Err(why) => {
            let place = match why {
                CountError::Overflowed => 0,
                CountError::Disturbed => 1,
                CountError::BusError => 2,
                _ => 3,
            };
            checked.errors[place] += 1;
            let (_, most) = track.scaled(possible[possible.len() - 1]);
            if lower_bound > 0 {
                checked.bounds += 1;
            }
            if lower_bound > most {
                return wrong(Kind::WrongLowerBound);
            }
            if let Some(wrapping_value) = wrapping_value
                && !any(&|truth| truth as u32 == wrapping_value)
            {
                return wrong(Kind::WrongModulo);
            }
            if must {
                return wrong(Kind::NoNumber);
            }
        }
    }
    Ok(())
}

/// Compares the metric of one selection with the possible numbers of its events or cycles.
pub fn check_metric(track: &Track, possible: &[u64], value: Value) -> Result<(), (Kind, String)> {
    let Ok(ratio) = value.estimate() else { return Ok(()) };
    if track.void || possible.is_empty() {
        return Ok(());
    }
    let number = ratio.numerator() as u64;
    let is_right = match value.exact() {
        Ok(_) => possible.contains(&number),
        // The error is less than one count for each start and resume.
        Err(_) => {
            let by = 64 * u64::from(track.starts.max(1));
            possible.iter().any(|cycles| cycles.abs_diff(number) < by)
        }
    };
    if is_right {
        return Ok(());
    }
    Err((Kind::WrongMetric, format!("{value}; possible: {possible:?}")))
}

/// Returns whether the counter cannot have wrapped.
pub fn stayed_below(track: &Track, possible: &[u64]) -> bool {
    let most = possible.last().map_or(u64::MAX, |raw| track.scaled(*raw).1);
    most.saturating_add(track.slot.from.into()) < if track.saturates { FULL } else { 1 << 32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(from: u32, possible: &[u64], answer: impl Into<Answer>, must: bool) -> Option<Kind> {
        let track = Track::new(Slot { kind: 0, from, by_64: false });
        let result = check(&mut Checked::default(), &track, possible, answer.into(), must);
        result.err().map(|(kind, _)| kind)
    }

    #[test]
    fn exact_numbers_must_be_possible() {
        assert_eq!(checked(0, &[4, 6], Count::new(6), true), None);
        assert_eq!(checked(0, &[4, 6], Count::new(5), true), Some(Kind::WrongNumber));
        assert_eq!(checked(0, &[1 << 32], Count::new(0), false), Some(Kind::WrongNumber));
        assert_eq!(checked(0, &[], Count::new(5), true), None, "not known");
    }

    #[test]
    fn inexact_counts_have_bound_and_reason() {
        let over = |value| Count::invalid(value, CountError::Overflowed);
        assert_eq!(checked(0, &[1 << 32], over(0), false), None);
        assert_eq!(checked(0, &[1 << 33], over(0), false), None);
        assert_eq!(checked(0, &[(1 << 32) - 1], over(0), false), Some(Kind::WrongLowerBound));
        assert_eq!(checked(0, &[1 << 33], over(1), false), Some(Kind::WrongModulo));
        let lost = Count::invalid(3, CountError::Disturbed);
        assert_eq!(checked(0, &[5], lost, false), None);
        assert_eq!(checked(0, &[5], lost, true), Some(Kind::NoNumber));
        let total = Answer::total(Err(CountError::Overflowed), 9);
        assert_eq!(checked(0, &[8], total, false), Some(Kind::WrongLowerBound));
    }

    #[test]
    fn a_saturated_counter_gives_no_exact_number() {
        let checked = |possible, answer: Count, must| {
            let slot = Slot { kind: 0, from: u32::MAX - 5, by_64: false };
            let track = Track { saturates: true, ..Track::new(slot) };
            let must = must && stayed_below(&track, &[possible]);
            let result = check(&mut Checked::default(), &track, &[possible], answer.into(), must);
            result.err().map(|(kind, _)| kind)
        };
        let full = Count::invalid(5, CountError::Saturated);
        assert_eq!(checked(4, Count::new(4), true), None);
        assert_eq!(checked(4, full, true), Some(Kind::WrongLowerBound));
        assert_eq!(checked(5, Count::new(5), true), Some(Kind::WrongNumber));
        assert_eq!(checked(5, full, true), None);
        assert_eq!(checked(1 << 40, full, true), None);
    }

    #[test]
    fn divided_counts_err_below_one_per_start() {
        let checked = |starts, cycles, count| {
            let slot = Slot { kind: CYCLES, from: 0, by_64: true };
            let track = Track { starts, ..Track::new(slot) };
            let answer = Count::new(count).into();
            check(&mut Checked::default(), &track, &[cycles], answer, true).is_ok()
        };
        assert_eq!([9, 10, 11].map(|count| checked(1, 640, count)), [false, true, false]);
        assert_eq!([9, 10, 11, 12].map(|count| checked(1, 641, count)), [false, true, true, false]);
        assert_eq!([8, 9, 11, 12].map(|count| checked(2, 640, count)), [false, true, true, false]);
        assert_eq!([8, 9, 12, 13].map(|count| checked(2, 641, count)), [false, true, true, false]);
    }
}
