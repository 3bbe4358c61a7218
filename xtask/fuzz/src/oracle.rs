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
//! - The rules for exact numbers and bounds also apply to the difference of two readings.
//! - In a program without a second owner and without access failures, a counter in use that did not
//!   overflow has an exact number. Therefore a driver that always reports an error fails.
//! - In a program without a second owner, access failures and diagnoses, the driver does nothing that the manual
//!   forbids. A diagnosis writes back the values that it read, and after a reset these may be reserved values.
//!
//! # Not checked, because the API documents that it cannot detect it
//!
//! - [`Totals`](arm_pmu_core::measure::Totals) are right if fewer than 2^32 events of a counter happen from the
//!   beginning of one reading to the end of the next. The tests of `arm-pmu-core` check larger numbers. Counts
//!   before `Totals::of` do not matter, but fewer than 2^32 events have to happen during that call.
//! - The total of a [`Bank`](arm_pmu_core::measure::Bank) is right if fewer than 2^32 + 2^31 events of a counter happen
//!   in each slice, and exact below 2^32.
//! - If a counter overflows twice during one call, a driver may report it as disturbed. If a counter overflows while
//!   its flag is being cleared, the flag looks as if it could not be cleared, and a driver that disables all counters
//!   to clear it may report all of them as disturbed.
//! - The limit of 2^32 events between readings also applies to `Count::since`.
//! - At the stop, a driver detects a second owner that changed a counter. Counts that are read from the running PMU
//!   before the stop are not checked. Each reading detects a second owner that disables the whole PMU or moves the
//!   selector.
//! - A second owner that restores its changes before the driver checks is not detected. The
//!   second owner here restores nothing.
//! - A counter that a hypervisor removes and restores within one call may lack a write of the driver. In these
//!   programs, a hypervisor restores counters only between calls. Removed counters continue to count. No read of a
//!   running PMU may return the number of a removed counter, and if the number of counters changes only between
//!   calls, the driver makes no access that the manual forbids.
//! - After a loss of power, `resume` does not continue a measurement. On an ARM11, `resume` detects the loss; on
//!   CCIs, the L2C-310 and SMMUs, the next stop does. The enables and events of other cores are unknown after a
//!   reset: no count is checked there until the next start.
//! - ARM11 cores and SMMUs write the new budget of a counter while it counts. Ignored stores are detected there if
//!   fewer than 2^30 events happen during the call.
//! - An SMMU that ignores the capturing store returns the values of an earlier capture. Such readings are not checked.
//! - If the second owner writes a register between the two accesses of a read-modify-write, the driver overwrites
//!   that write. In these programs, such a write follows the driver's write.
//! - `Totals` do not support counters that `rearm` changes.
//!
//! Intervals, snapshots, passes and metrics are made of these counts and totals: the tests of `arm-pmu-core` check them
//! with a made-up PMU, and the tests of `arm-pmu` with every driver.

use std::cmp::Ordering;
use std::fmt;

use arm_pmu_core::count::{Amount, Count, CountError};

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
}

#[derive(Clone, Debug)]
pub struct Config {
    /// Settings in the order of counter numbers; the cycle counter has the highest number.
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
            let slot = Slot { kind, from: 0 };
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
    pub void: bool,
    /// Whether the overflow flag may have been set before the counter got its new budget.
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
        Self { exact: amount.exact(), lower_bound: amount.lower_bound(), wrapping_value: None }
    }
}

impl Track {
    /// Creates the state of a counter that has not started yet.
    pub const fn new<D: Subject>(slot: Slot) -> Self {
        Self {
            slot,
            before: Vec::new(),
            started: None,
            void: false,
            old_flag: false,
            saturates: D::SHAPE.saturates,
        }
    }

    /// Returns the same counter for the difference of two readings.
    pub fn between_readings<D: Subject>(&self) -> Self {
        Self { void: self.void, ..Self::new::<D>(self.slot) }
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
        raw.map_or(0, |raw| (raw + u64::from(self.slot.from)) >> 32)
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
    let text = || match exact {
        Ok(events) => format!("{events}"),
        Err(why) => format!("{why:?}, at least {lower_bound}, wrapped {wrapping_value:?}"),
    };
    let wrong = |kind| Err((kind, format!("{}; possible: {possible:?}, from {from}", text())));
    match exact {
        Ok(events) => {
            checked.exact += 1;
            if !possible.contains(&events) {
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
            if lower_bound > 0 {
                checked.bounds += 1;
            }
            if lower_bound > possible[possible.len() - 1] {
                return wrong(Kind::WrongLowerBound);
            }
            if let Some(wrapping_value) = wrapping_value
                && !possible.iter().any(|truth| *truth as u32 == wrapping_value)
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

/// Returns whether the counter cannot have wrapped.
pub fn stayed_below(track: &Track, possible: &[u64]) -> bool {
    let most = possible.last().copied().unwrap_or(u64::MAX);
    most.saturating_add(track.slot.from.into()) < if track.saturates { FULL } else { 1 << 32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(from: u32, saturates: bool) -> Track {
        let slot = Slot { kind: 0, from };
        let (before, started, void, old_flag) = (Vec::new(), None, false, false);
        Track { slot, before, started, void, old_flag, saturates }
    }

    fn checked(from: u32, possible: &[u64], answer: impl Into<Answer>, must: bool) -> Option<Kind> {
        let track = track(from, false);
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
        let total = Amount::invalid(9, CountError::Overflowed);
        assert_eq!(checked(0, &[8], total, false), Some(Kind::WrongLowerBound));
    }

    #[test]
    fn a_saturated_counter_gives_no_exact_number() {
        let checked = |possible, answer: Count, must| {
            let track = track(u32::MAX - 5, true);
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
}
