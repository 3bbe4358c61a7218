//! What a driver remembers of a measurement, without a device.

use super::counter::CounterConfig;
use super::cycle_counter::Clock;
use super::cycle_setting::CycleSetting;
use crate::count::Count;
use crate::measure::{AssignError, Interference};

/// The settings of all counters.
#[derive(Clone, Copy, Debug)]
pub struct Settings<S, const N: usize, C> {
    /// The event counters.
    pub counters: [CounterConfig<S>; N],
    /// The cycle counter.
    pub cycles: C,
}

/// The values of all counters at a stop.
#[derive(Clone, Copy, Debug)]
pub struct Latched<const N: usize, C: CycleSetting> {
    /// The event counters. That of a counter not in use means nothing.
    pub values: [u32; N],
    /// The cycle counter.
    pub cycles: C::Value,
}

/// The state of a driver: settings pending and programmed, values latched at the last stop, and what
/// makes them invalid. Sets of counters are words: event counter `n` has bit `n`, the cycle counter
/// [`Clock::BIT`].
///
/// Counts are computed when they are asked for; between a start and the end of a stop nothing is.
// The order of the fields was chosen by size (`cargo xtask size`): what is zero at first, and what moves with
// the driver, is written by a few stores, without a call.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct PmuState<S, const N: usize, C: CycleSetting> {
    /// The settings last programmed; before the first start, those to be programmed.
    programmed: Settings<S, N, C>,
    /// The counters that count something. None before the first start.
    in_use: u32,
    /// Counters whose overflow flag was seen since the start.
    overflowed: u32,
    /// Counters that another party changed, or that did not take their setting.
    disturbed: u32,
    /// All counters if the PMU as a whole was found disabled, else none.
    disabled: u32,
    latched: Latched<N, C>,
    /// Counters whose latched value is an exact count.
    valid: u32,
    /// Whether an access failed up to the last stop.
    error: bool,
    /// The settings for the next start, if they differ: made when first changed, so that a start copies
    /// nothing otherwise.
    pending: Option<Settings<S, N, C>>,
}

/// What makes values of running counters invalid, looked up once for all counters that are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Validity {
    disturbed: u32,
    overflowed: u32,
}

impl Validity {
    /// Reads a counter that started at `from` and counts on, so that a wrap in the middle is noticed.
    ///
    /// `flags` reads overflow flags, of which only this counter's matters; `value` reads the counter;
    /// `error` says whether an access failed.
    #[inline(always)]
    pub(super) fn read(
        self,
        counter: usize,
        from: u32,
        flags: impl Fn() -> u32,
        value: impl Fn() -> u32,
        error: impl Fn() -> bool,
    ) -> Count {
        let bit = 1 << counter;
        let before = flags();
        let first = value();
        let after = flags();
        // If it wrapped between the reads, the first value may be from before that.
        let value = if (before ^ after) & bit == 0 { first } else { value() };
        let (up, error) = (before | after, error());
        if (up | (self.overflowed | self.disturbed)) & bit == 0 && !error && value >= from {
            return Count::new(value - from);
        }
        invalid(bit, (from, value), up | self.overflowed, self.disturbed, error)
    }
}

/// The count of a value that may be invalid: not the usual case, so the code is kept out of the way. The
/// state is passed in words, as borrowing it would keep the driver in memory.
#[cold]
const fn invalid(
    bit: u32,
    (from, value): (u32, u32),
    overflowed: u32,
    disturbed: u32,
    error: bool,
) -> Count {
    Count::judged(from, value, overflowed & bit != 0, disturbed & bit != 0, error)
}

impl<S, const N: usize, C: CycleSetting> PmuState<S, N, C> {
    #[inline(always)]
    pub(super) const fn new(cycles: C, zero: C::Value) -> Self {
        const { assert!(N < 32, "a set of counters is a word, with a bit for the cycle counter") }
        Self {
            programmed: Settings { counters: [const { CounterConfig::OFF }; N], cycles },
            in_use: 0,
            overflowed: 0,
            disturbed: 0,
            disabled: 0,
            latched: Latched { values: [0; N], cycles: zero },
            valid: 0,
            error: false,
            pending: None,
        }
    }
}

impl<S: Copy + PartialEq, const N: usize, C: CycleSetting> PmuState<S, N, C> {
    /// The settings for the next start, to be changed.
    pub(super) fn pending_mut(&mut self) -> &mut Settings<S, N, C> {
        if self.has_started() {
            self.pending.get_or_insert(self.programmed)
        } else {
            &mut self.programmed
        }
    }

    /// The settings for the next start.
    pub(super) const fn pending(&self) -> &Settings<S, N, C> {
        match &self.pending {
            Some(pending) => pending,
            None => &self.programmed,
        }
    }

    /// The settings of the last start.
    #[inline(always)]
    pub(super) const fn programmed(&self) -> &Settings<S, N, C> {
        &self.programmed
    }

    /// A start: from now on, the pending settings are those [programmed](Self::programmed).
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        if let Some(pending) = &self.pending {
            self.programmed = *pending;
            self.pending = None;
        }
    }

    /// The settings were written; the counters `rejected` did not take theirs. Forgets overflows and
    /// interference of the last measurement. Its counts mean nothing from now on; the next are those of
    /// [`finish`](Self::finish).
    #[inline(always)]
    pub(super) const fn set_programmed(&mut self, in_use: u32, rejected: u32) {
        self.in_use = in_use;
        self.overflowed = 0;
        self.disturbed = rejected;
        self.disabled = 0;
    }

    /// Whether the last start programmed something to count.
    pub(super) const fn has_started(&self) -> bool {
        self.in_use != 0
    }

    /// The counters that count something.
    #[inline(always)]
    pub(super) const fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Counters whose overflow flag was seen since the start.
    #[inline(always)]
    pub(super) const fn overflowed(&self) -> u32 {
        self.overflowed
    }

    /// These counters were not as programmed, or the PMU as a whole was disabled. Stays so until the
    /// next start.
    #[inline(always)]
    pub(super) const fn add_interference(&mut self, counters: u32, disabled: bool) {
        self.disturbed |= counters;
        if disabled {
            self.disabled = u32::MAX;
        }
    }

    /// The overflow flags of these counters were up.
    #[inline(always)]
    pub(super) const fn add_overflows(&mut self, counters: u32) {
        self.overflowed |= counters;
    }

    /// What the last start programmed, and where to put the values of a stop.
    #[inline(always)]
    pub(super) const fn latch(&mut self) -> (&Settings<S, N, C>, &mut Latched<N, C>) {
        (&self.programmed, &mut self.latched)
    }

    /// Ends a stop: from now on there are counts.
    #[inline(always)]
    pub(super) const fn finish(&mut self, error: bool) {
        self.error = error;
        let invalid = self.overflowed | self.disturbed | self.disabled;
        self.valid = if error { 0 } else { self.in_use & !invalid };
    }

    /// What makes values that are read now invalid.
    #[inline(always)]
    pub(super) const fn validity(&self) -> Validity {
        let disturbed = self.disturbed | self.disabled;
        Validity { disturbed, overflowed: self.overflowed }
    }

    /// The count of the counter with this bit in sets, if it is exact.
    #[inline(always)]
    const fn exact(&self, bit: u32, from: u32, value: u32) -> Option<Count> {
        if self.valid & bit != 0 && value >= from {
            return Some(Count::new(value - from));
        }
        None
    }

    /// The count of the counter with this bit in sets.
    #[inline(always)]
    const fn judge(&self, bit: u32, from: u32, value: u32) -> Count {
        if let Some(count) = self.exact(bit, from, value) {
            return count;
        }
        if self.in_use & bit == 0 {
            return Count::NOT_COUNTED;
        }
        let disturbed = self.disturbed | self.disabled;
        invalid(bit, (from, value), self.overflowed, disturbed, self.error)
    }

    /// The start value and the latched value of an event counter.
    #[inline(always)]
    const fn held(&self, counter: usize) -> (u32, u32) {
        (self.programmed.counters[counter].from, self.latched.values[counter])
    }

    /// The start value and the latched value of the cycle counter.
    #[inline(always)]
    fn held_cycles(&self) -> (u32, u32) {
        (self.programmed.cycles.from(), C::value(self.latched.cycles))
    }

    /// The count of an event counter at the last stop.
    pub(super) const fn count(&self, counter: usize) -> Count {
        if counter >= N {
            return Count::NOT_COUNTED;
        }
        let (from, value) = self.held(counter);
        self.judge(1 << counter, from, value)
    }

    /// The count of the cycle counter at the last stop.
    pub(super) fn cycles(&self) -> Count {
        let (from, value) = self.held_cycles();
        self.judge(Clock::BIT, from, value)
    }

    /// Whether selection number `nth` is the cycles.
    #[inline(always)]
    fn is_cycles(&self, nth: usize) -> bool {
        C::COUNTERS != 0 && nth == self.programmed.cycles.nth()
    }

    /// The event counter of selection number `nth`, if that is an event.
    #[inline(always)]
    fn event_counter(&self, nth: usize) -> usize {
        if nth > self.programmed.cycles.nth() { nth - 1 } else { nth }
    }

    /// The count of selection number `nth` at the last stop, in the order of the last start.
    #[inline]
    pub(super) fn count_of_selection(&self, nth: usize) -> Count {
        let counter = self.event_counter(nth);
        let exact = if self.is_cycles(nth) {
            let (from, value) = self.held_cycles();
            self.exact(Clock::BIT, from, value)
        } else if counter < N {
            let (from, value) = self.held(counter);
            self.exact(1 << counter, from, value)
        } else {
            None
        };
        match exact {
            Some(count) => count,
            None => self.inexact_count(nth),
        }
    }

    /// As [`count_of_selection`](Self::count_of_selection), of a count that may be invalid: out of the way.
    #[cold]
    #[inline(never)]
    fn inexact_count(&self, nth: usize) -> Count {
        if self.is_cycles(nth) {
            return self.cycles();
        }
        self.count(self.event_counter(nth))
    }

    /// The counter of selection number `nth`: event counters by number, then the cycle counter.
    /// `usize::MAX` if there is no such counter.
    pub(super) fn counter_of(&self, nth: usize) -> usize {
        if self.is_cycles(nth) {
            return N;
        }
        let counter = self.event_counter(nth);
        if counter < N { counter } else { usize::MAX }
    }

    /// What a counter was programmed to count: event counters by number, then the cycle counter. `None`
    /// if it is not in use, or does not exist.
    pub(super) fn selection(&self, counter: usize) -> Option<C::Selection<S>> {
        if counter == N {
            return C::select_cycles().filter(|_| self.in_use & Clock::BIT != 0);
        }
        let used = counter < N && self.in_use >> counter & 1 == 1;
        let config = self.programmed.counters.get(counter).filter(|_| used)?;
        config.selection.map(C::select_event)
    }

    /// The start value of a counter: event counters by number, then the cycle counter.
    pub(super) fn started_from(&self, counter: usize) -> u32 {
        match self.programmed.counters.get(counter) {
            Some(config) => config.from,
            None if counter == N => self.programmed.cycles.from(),
            None => 0,
        }
    }

    /// A counter starts anew at `from`: forgets its overflow. The next start is as it would have been.
    /// Returns whether the counter is in use; nothing changes if not.
    pub(super) fn restart(&mut self, counter: usize, from: u32) -> bool {
        let bit = match counter {
            counter if counter < N => 1 << counter,
            counter if counter == N && C::COUNTERS != 0 => Clock::BIT,
            _ => 0,
        };
        if self.in_use & bit == 0 {
            return false;
        }
        self.pending.get_or_insert(self.programmed);
        self.overflowed &= !bit;
        match self.programmed.counters.get_mut(counter) {
            Some(config) => config.from = from,
            None => self.programmed.cycles.set_from(from),
        }
        true
    }

    /// What another party changed since the last start.
    pub(super) const fn interference(&self) -> Option<Interference> {
        Interference::new(self.disturbed, self.disabled != 0)
    }

    /// One counter for each of `selections`, the others off.
    #[inline]
    pub(super) fn assign(&mut self, selections: &[C::Selection<S>]) -> Result<(), AssignError> {
        let (mut asked, mut cycles) = (0, None);
        for (nth, selection) in selections.iter().enumerate() {
            match C::event(*selection) {
                Some(_) => asked += 1,
                None if cycles.is_none() => cycles = Some(nth),
                None => return Err(AssignError::CyclesTwice),
            }
        }
        if asked > N {
            return Err(AssignError::TooMany { asked, counters: N });
        }
        let pending = self.pending_mut();
        pending.cycles = match cycles {
            Some(nth) => pending.cycles.on_as(nth),
            None => pending.cycles.off_after(N),
        };
        let mut configs = pending.counters.iter_mut();
        for selection in selections {
            if let Some(event) = C::event(*selection) {
                if let Some(config) = configs.next() {
                    *config = CounterConfig::on(event, 0);
                }
            }
        }
        configs.for_each(|config| *config = CounterConfig::OFF);
        Ok(())
    }
}
