//! Computes the possible values of each count.
//!
//! The oracle does not look at registers. It knows when each event happened (the history of a program), and when each
//! call began and ended. A counter starts at some moment of the call that starts it, and is read at some moment of the
//! call that reads it. The oracle does not know these moments. Therefore each count has several possible values. The
//! checks are:
//!
//! - An exact number is one of the possible values.
//! - A lower bound is not above the largest possible value.
//! - After an overflow, the returned number equals one of the possible values modulo 2^32.
//! - A saturating counter does not wrap, and its number is not exact if the counter may be full.
//! - The rules for exact numbers and bounds also apply to the difference of two readings.
//! - In a program without a second owner and without access failures, a counter in use that did not overflow has an
//!   exact number. Therefore a driver that always reports an error fails.
//! - The driver does nothing that the manual forbids, if the program has no second owner, no access failure and no
//!   diagnosis. A diagnosis writes back the values that it read, and after a reset these may be reserved values.
//!
//! # Not checked, because the API documents that it cannot detect it
//!
//! - [`Totals`](arm_pmu::measure::Totals) are right if fewer than 2^32 events of a counter happen from the
//!   beginning of one reading to the end of the next. The tests of `arm-pmu-core` check larger numbers. Counts
//!   before `Totals::of` do not matter, but fewer than 2^32 events have to happen during that call.
//! - The total of a [`Bank`](arm_pmu::measure::Bank) is right if each counter counts fewer than 2^32 + 2^31 events in
//!   each slice. It is exact if each counter counts fewer than 2^32 events in each slice.
//! - If a counter overflows twice during one call, a driver may report it as disturbed. A counter may overflow while
//!   its flag is being cleared. The flag then looks as if it could not be cleared, and a driver that disables all
//!   counters to clear this flag may report all counters as disturbed.
//! - The limit of 2^32 events between readings also applies to `Count::since`.
//! - At the stop, a driver detects a second owner that changed a counter. Counts that are read from the running PMU
//!   before the stop are not checked. Each reading detects a second owner that disables the whole PMU or moves the
//!   selector.
//! - If a second owner undoes its changes before the driver checks, they are not detected. The
//!   second owner here undoes nothing.
//! - If a hypervisor removes a counter and restores it within one call, the counter may have missed a write by the
//!   driver. In these programs, a hypervisor restores counters only between calls. Removed counters continue to count.
//!   No read of a running PMU may return the number of a removed counter, and if the number of counters changes only
//!   between calls, the driver makes no access that the manual forbids.
//! - After a loss of power, `resume` does not continue a measurement. On an ARM11, `resume` detects the loss; on
//!   CCIs, the L2C-310 and SMMUs, the next stop does. The enables and events of other cores are unknown after a
//!   reset: no count is checked there until the next start.
//! - ARM11 cores and SMMUs write the new budget of a counter while it counts. Their drivers detect ignored stores if
//!   fewer than 2^30 events happen during the call.
//! - An SMMU that ignores the capturing store returns the values of an earlier capture. Such readings are not checked.
//! - If the second owner writes a register between the two accesses of a read-modify-write, the driver overwrites that
//!   write. In these programs, the second owner therefore writes after the driver.
//! - `Totals` do not support counters that `rearm` changes.
//! - Registers that stop answering during a call stay silent until the call ends. If they answered again earlier, all
//!   checks of a driver might come at times when the registers answer.

use arm_pmu::count::{Amount, Count, CountError};

use super::program::Shape;
use crate::traffic::{CYCLES, MOST_COUNTERS, Span, World};

/// Highest number of counters of a device: event counters and a cycle counter.
pub(super) const MOST: usize = MOST_COUNTERS + 1;

/// Highest number of possible values of a count. A count with more possible values is not checked.
const MOST_POSSIBLE: usize = 200;

/// Value of a full saturating counter.
const FULL: u64 = u32::MAX as u64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    /// An event, or cycles.
    pub(super) kind: u8,
    pub(super) from: u32,
}

/// Settings of a PMU.
#[derive(Clone, Debug)]
pub(super) struct Config {
    shape: Shape,
    /// Settings in the order of counter numbers; the cycle counter has the highest number.
    pub(super) slots: [Option<Slot>; MOST],
    nth_is_cycles: usize,
}

impl Config {
    pub(super) fn new(shape: Shape) -> Self {
        Self { shape, slots: [None; MOST], nth_is_cycles: shape.counters.into() }
    }

    /// Returns the settings that `assign` makes; `None` if there are too few counters.
    pub(super) fn assign(shape: Shape, list: &[u8]) -> Option<Self> {
        let counters = usize::from(shape.counters);
        let mut config = Self::new(shape);
        let mut event_counters = 0..counters;
        for (nth, &kind) in list.iter().enumerate() {
            let counter = if kind == CYCLES && shape.cycle_counter {
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

    /// Sets one counter.
    pub(super) fn set(&mut self, counter: usize, slot: Option<Slot>) {
        self.slots[counter] = slot;
        if counter < self.shape.counters.into() {
            self.nth_is_cycles = self.shape.counters.into();
        }
    }

    /// Returns the counters of all selections, in the order of assignment; if counters were set one by one, in the
    /// order of their numbers, with the cycle counter last.
    pub(super) fn counters(&self) -> Vec<usize> {
        let mut counters: Vec<_> = (0..self.shape.counters.into()).collect();
        if self.shape.cycle_counter {
            counters.insert(self.nth_is_cycles, self.shape.counters.into());
        }
        counters
    }

    /// Returns whether all counters are off.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.iter().all(Option::is_none)
    }
}

/// State of a counter.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) slot: Slot,
    /// Possible counts up to the last stop.
    pub(super) before: Vec<u64>,
    /// Possible moments of the start that followed this stop.
    pub(super) started: Option<Span>,
    /// Whether the count is unknown.
    pub(super) void: bool,
    /// Whether the overflow flag may have been set before the counter got its new budget.
    pub(super) old_flag: bool,
    pub(super) saturates: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) kind: &'static str,
    /// Index of the program step that failed.
    pub(super) step: usize,
    /// The call that returned the wrong count.
    pub(super) what: String,
}

/// Kind of a failure, and its description.
pub(super) type Wrong = (&'static str, String);

const WRONG_NUMBER: &str = "an exact number is wrong";
const WRONG_LOWER_BOUND: &str = "a lower bound is too high";
const WRONG_MODULO: &str = "the number modulo 2^32 is wrong";
const NO_NUMBER: &str = "the exact number is missing without a reason";

/// A number with its validity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
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
    pub(super) const fn new(slot: Slot, saturates: bool) -> Self {
        Self { slot, before: Vec::new(), started: None, void: false, old_flag: false, saturates }
    }

    /// Returns all counts, in events or cycles, that are possible at the moments of `at`, in
    /// ascending order.
    pub(super) fn possible(&self, world: &World, at: Span) -> Vec<u64> {
        let Some(started) = self.started else { return self.before.clone() };
        differences(world, self.slot.kind, started, at, &self.before)
    }

    /// Returns the smallest and the largest number of wraps up to these moments.
    pub(super) fn wraps(&self, world: &World, at: Span) -> [u64; 2] {
        if self.saturates {
            return [0; 2];
        }
        let possible = self.possible(world, at);
        [possible.first(), possible.last()]
            .map(|raw| raw.map_or(0, |raw| (raw + u64::from(self.slot.from)) >> 32))
    }

    /// Returns whether the counter cannot have wrapped.
    pub(super) fn stayed_below(&self, possible: &[u64]) -> bool {
        let most = possible.last().copied().unwrap_or(u64::MAX);
        most.saturating_add(self.slot.from.into()) < if self.saturates { FULL } else { 1 << 32 }
    }
}

/// Returns every sum of one earlier count and one possible count between the two moments.
pub(super) fn differences(
    world: &World,
    kind: u8,
    from: Span,
    to: Span,
    before: &[u64],
) -> Vec<u64> {
    let before = if before.is_empty() { &[0] } else { before };
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
            if last_end.replace(end) != Some(end) {
                possible.extend(before.iter().map(|before| before + (end - start)));
            }
        }
    }
    possible.sort_unstable();
    possible.dedup();
    possible
}

/// Compares a count with its possible values. Returns true only if the comparison was possible and the count is exact.
/// `must` states whether the count has to be exact.
pub(super) fn check(
    track: &Track,
    possible: &[u64],
    answer: Answer,
    must: bool,
) -> Result<bool, Wrong> {
    let Answer { exact, lower_bound, wrapping_value } = answer;
    if track.void || possible.is_empty() || possible.len() > MOST_POSSIBLE {
        return Ok(false);
    }
    let Slot { from, .. } = track.slot;
    let wrong = match exact {
        // A full counter may have missed events.
        Ok(events) if track.saturates && events.saturating_add(from.into()) >= FULL => WRONG_NUMBER,
        Ok(events) if !possible.contains(&events) => WRONG_NUMBER,
        Ok(_) => return Ok(true),
        Err(_) if lower_bound > possible[possible.len() - 1] => WRONG_LOWER_BOUND,
        Err(_)
            if wrapping_value.is_some_and(|value| possible.iter().all(|n| *n as u32 != value)) =>
        {
            WRONG_MODULO
        }
        Err(_) if must => NO_NUMBER,
        Err(_) => return Ok(false),
    };
    Err((wrong, format!("{answer:?}; possible: {possible:?}, from {from}")))
}

#[test]
fn wrong_counts_are_found() {
    let over = |value| Count::invalid(value, CountError::Overflowed);
    let lost = Count::invalid(3, CountError::Disturbed);
    let full = Count::invalid(5, CountError::Saturated);
    let total = Amount::invalid(9, CountError::Overflowed);
    let near_the_end = u32::MAX - 5;
    type Row<'r> = (u32, &'r [u64], Answer, bool, Result<bool, &'r str>);
    let rows: [Row<'_>; 16] = [
        (0, &[4, 6], Count::new(6).into(), true, Ok(true)),
        (0, &[4, 6], Count::new(5).into(), true, Err(WRONG_NUMBER)),
        (0, &[1 << 32], Count::new(0).into(), false, Err(WRONG_NUMBER)),
        (0, &[], Count::new(5).into(), true, Ok(false)),
        (0, &[1 << 32], over(0).into(), false, Ok(false)),
        (0, &[1 << 33], over(0).into(), false, Ok(false)),
        (0, &[(1 << 32) - 1], over(0).into(), false, Err(WRONG_LOWER_BOUND)),
        (0, &[1 << 33], over(1).into(), false, Err(WRONG_MODULO)),
        (0, &[5], lost.into(), false, Ok(false)),
        (0, &[5], lost.into(), true, Err(NO_NUMBER)),
        (0, &[8], total.into(), false, Err(WRONG_LOWER_BOUND)),
        // The counter saturates.
        (near_the_end, &[4], Count::new(4).into(), true, Ok(true)),
        (near_the_end, &[4], full.into(), true, Err(WRONG_LOWER_BOUND)),
        (near_the_end, &[5], Count::new(5).into(), true, Err(WRONG_NUMBER)),
        (near_the_end, &[5], full.into(), true, Ok(false)),
        (near_the_end, &[1 << 40], full.into(), true, Ok(false)),
    ];
    for (from, possible, answer, must, expected) in rows {
        let track = Track::new(Slot { kind: 0, from }, from == near_the_end);
        let must = must && (from == 0 || track.stayed_below(possible));
        let found = check(&track, possible, answer, must).map_err(|(kind, _)| kind);
        assert_eq!(found, expected, "{possible:?} {answer:?}");
    }
}
