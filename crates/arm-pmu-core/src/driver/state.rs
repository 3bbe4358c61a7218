//! The state of a driver. The code of this module does not access the device.

use super::counter::CounterConfig;
use super::cycle_counter::Clock;
use super::cycle_setting::CycleSetting;
use super::value::CounterValue;
use crate::count::Count;
use crate::measure::{AssignError, Interference};

/// The settings of all counters.
// The type is aligned to 8 bytes on 64-bit targets, so that the compiler copies up to 32 bytes inline even if AArch64
// code must not make unaligned accesses. A call of `memcpy` takes hundreds of instructions.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_pointer_width = "64", repr(align(8)))]
pub struct Settings<S, const N: usize, C> {
    /// Settings of the event counters.
    pub counters: [CounterConfig<S>; N],
    /// Setting of the cycle counter.
    pub cycles: C,
}

impl<S: Copy, const N: usize, C: Copy> Settings<S, N, C> {
    /// Copies all settings. On AArch64, copies them in parts, so that the compiler does not call `memcpy`.
    #[inline(always)]
    fn copy_from(&mut self, from: &Self) {
        if cfg!(target_arch = "aarch64") {
            let (first, second) = self.counters.split_at_mut(N / 2);
            first.copy_from_slice(&from.counters[..N / 2]);
            second.copy_from_slice(&from.counters[N / 2..]);
            self.cycles = from.cycles;
        } else {
            *self = *from;
        }
    }
}

impl<S: Copy + PartialEq, const N: usize, C: CycleSetting> Settings<S, N, C> {
    /// Returns the settings with all event counters off. The cycle counter is on if it is among `selections`.
    ///
    /// `clock` provides the debug setting of the cycle counter.
    #[inline(always)]
    pub(super) fn without_events(
        selections: &[C::Selection<S>],
        clock: C,
    ) -> Result<Self, AssignError> {
        let mut cycles = None;
        for (nth, selection) in selections.iter().enumerate() {
            if C::event(*selection).is_none() && cycles.replace(nth).is_some() {
                return Err(AssignError::CyclesTwice);
            }
        }
        let asked = selections.len() - usize::from(cycles.is_some());
        if asked > N {
            return Err(AssignError::TooMany { asked, counters: N });
        }
        let cycles = match cycles {
            Some(nth) => clock.on_as(nth),
            None => clock.off_after(N),
        };
        Ok(Self { counters: [const { CounterConfig::OFF }; N], cycles })
    }

    /// Assigns the event counters, from counter 0 on, to the events of `selections`.
    #[inline(always)]
    pub(super) fn set_events(&mut self, selections: &[C::Selection<S>], from: u32) {
        let mut configs = self.counters.iter_mut();
        for selection in selections {
            if let Some(event) = C::event(*selection) {
                if let Some(config) = configs.next() {
                    *config = CounterConfig::on(event, from);
                }
            }
        }
    }
}

/// Settings that the device still holds from the last start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Counters in use whose settings, except the start value, are unchanged.
    pub settings: u32,
    /// Whether the set of enabled counters is unchanged.
    pub enables: bool,
}

impl Kept {
    /// The settings of the device are unknown.
    pub const NOTHING: Self = Self { settings: 0, enables: false };
}

/// Values of all counters at a stop.
#[derive(Clone, Copy, Debug)]
pub struct Latched<const N: usize, C: CycleSetting, V: CounterValue = u32> {
    /// Values of the event counters; meaningless for counters that are not in use.
    pub values: [V; N],
    /// Value of the cycle counter.
    pub cycles: C::Value<V>,
}

/// The state of a driver.
///
/// The state consists of the settings, the values of the last stop, and the reasons why values are invalid. Sets
/// of counters are words: event counter `n` is bit `n`, the cycle counter is [`Clock::BIT`].
///
/// Counts are computed when the caller reads them. No count is computed between a start and the end of a
/// stop.
// The order of the fields reduces program size (`cargo xtask size`): the compiler initializes and moves the state
// with a few stores, without a call.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct PmuState<S, const N: usize, C: CycleSetting, V: CounterValue = u32> {
    /// Settings of the last start; before the first start, pending settings.
    programmed: Settings<S, N, C>,
    /// Counters that are on; none before the first start.
    in_use: u32,
    /// Counters whose overflow flags were set since the start.
    overflowed: u32,
    /// Counters that other software changed, or that rejected their settings.
    disturbed: u32,
    /// Mask of all counters if the PMU was found disabled, otherwise 0.
    disabled: u32,
    latched: Latched<N, C, V>,
    /// Counters whose latched value is an exact count.
    valid: u32,
    last_stop: LastStop,
    /// Settings for the next start, if changed.
    ///
    /// `None` until the first change, so that a start without changes copies nothing.
    pending: Option<Settings<S, N, C>>,
}

/// Outcome of the last stop, and of a diagnosis after it.
// The outcome is a single byte, so that a start needs no store for it.
#[derive(Clone, Copy, Debug)]
enum LastStop {
    /// The counters hold the values of the last stop, if there was one.
    Whole,
    /// An access failed before the end of the stop.
    Failed,
    /// A diagnosis did not restore all values or settings.
    Unrestored,
}

/// Sets of counters: the counters that are on, and for each reason, the counters whose values it
/// makes invalid.
///
/// A read of several counters loads these sets only once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Validity {
    in_use: u32,
    disturbed: u32,
    overflowed: u32,
}

impl Validity {
    /// Returns the counters that are on.
    #[inline(always)]
    pub(super) const fn in_use(self) -> u32 {
        self.in_use
    }

    /// Returns the count of a running, saturating counter from its value.
    #[inline(always)]
    pub(super) const fn of_saturating(
        self,
        counter: usize,
        held: (u32, u32),
        error: bool,
    ) -> Count {
        let bit = 1 << counter;
        let (was_full, disturbed) = (self.overflowed & bit != 0, self.disturbed & bit != 0);
        Count::of_saturating(held, was_full, disturbed, error)
    }

    /// Reads the count of a running counter that started at `from`. The counter may wrap during the
    /// read.
    ///
    /// `flags` reads the overflow flags; only the flag of this counter is used. `value` reads the counter
    /// value. `error` returns whether an access failed.
    #[inline(always)]
    pub(super) fn read<V: CounterValue>(
        self,
        counter: usize,
        from: u32,
        flags: impl Fn() -> u32,
        value: impl Fn() -> V,
        counts_wraps: impl Fn() -> bool,
        error: impl Fn() -> bool,
    ) -> Count {
        let bit = 1 << counter;
        let before = flags();
        let first = value();
        let after = flags();
        // If the counter wrapped between the reads of the flag, the first value may be from before
        // the wrap.
        let value = if (before ^ after) & bit == 0 { first } else { value() };
        let (up, error) = (before | after, error());
        if (up | (self.overflowed | self.disturbed)) & bit == 0 && !error {
            if let Some(events) = value.without_wrap(from) {
                return Count::new(events);
            }
        }
        let overflowed = up | self.overflowed;
        if V::HAS_WRAPS && counts_wraps() {
            return long(bit, (from, value.into()), overflowed, self.disturbed, error);
        }
        invalid(bit, (from, value.low()), overflowed, self.disturbed, error)
    }

    /// Returns the count of a running counter that started at `from`. The value includes the number of wraps, so one
    /// access reads both.
    #[inline(always)]
    pub(super) fn with_wraps<V: CounterValue>(
        self,
        bit: u32,
        from: u32,
        value: V,
        error: bool,
    ) -> Count {
        match value.without_wrap(from) {
            Some(events) if (self.overflowed | self.disturbed) & bit == 0 && !error => {
                Count::new(events)
            }
            _ => {
                let value = value.into();
                let wrapped = if value >> 32 == 0 { 0 } else { bit };
                long(bit, (from, value), self.overflowed | wrapped, self.disturbed, error)
            }
        }
    }
}

/// Returns the count of a value that may be invalid.
///
/// The function is kept out of line, because it is rarely called. The state is passed as words, because a borrow would
/// force the compiler to keep the driver in memory.
#[cold]
const fn invalid(
    bit: u32,
    (from, value): (u32, u32),
    overflowed: u32,
    disturbed: u32,
    error: bool,
) -> Count {
    Count::with_status(from, value, overflowed & bit != 0, disturbed & bit != 0, error)
}

/// Like [`invalid`], for a counter of 64 bits, whose count can be exact after a wrap.
#[cold]
#[inline(never)]
const fn long(
    bit: u32,
    (from, value): (u32, u64),
    overflowed: u32,
    disturbed: u32,
    error: bool,
) -> Count {
    if disturbed & bit != 0 || error {
        return invalid(bit, (from, value as u32), overflowed, disturbed, error);
    }
    Count::of_long(from, value, overflowed & bit != 0)
}

impl<S, const N: usize, C: CycleSetting, V: CounterValue> PmuState<S, N, C, V> {
    #[inline(always)]
    pub(super) const fn new(cycles: C, zero: C::Value<V>) -> Self {
        const { assert!(N < 32, "a set of counters is a word, with a bit for the cycle counter") }
        Self {
            programmed: Settings { counters: [const { CounterConfig::OFF }; N], cycles },
            in_use: 0,
            overflowed: 0,
            disturbed: 0,
            disabled: 0,
            latched: Latched { values: [V::ZERO; N], cycles: zero },
            valid: 0,
            last_stop: LastStop::Whole,
            pending: None,
        }
    }
}

impl<S, const N: usize, C, V> PmuState<S, N, C, V>
where
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Returns the settings for the next start, so that the caller can change them.
    pub(super) fn pending_mut(&mut self) -> &mut Settings<S, N, C> {
        if self.has_started() {
            self.pending.get_or_insert(self.programmed)
        } else {
            &mut self.programmed
        }
    }

    /// Returns the settings for the next start.
    pub(super) const fn pending(&self) -> &Settings<S, N, C> {
        match &self.pending {
            Some(pending) => pending,
            None => &self.programmed,
        }
    }

    /// Returns the settings of the last start.
    #[inline(always)]
    pub(super) const fn programmed(&self) -> &Settings<S, N, C> {
        &self.programmed
    }

    /// Begins a start: the pending settings become the programmed settings.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        if let Some(pending) = &self.pending {
            self.programmed.copy_from(pending);
            self.pending = None;
        }
    }

    /// Returns whether the last start and stop found no interference and no failed access.
    #[inline(always)]
    pub(super) const fn is_undisturbed(&self) -> bool {
        self.disturbed | self.disabled == 0 && !self.failed()
    }

    /// Returns a mutable reference to the programmed settings of the event counters.
    #[inline(always)]
    pub(super) const fn programmed_mut(&mut self) -> &mut [CounterConfig<S>; N] {
        &mut self.programmed.counters
    }

    /// Replaces the programmed settings with the settings of a task. The cycle counter counts every cycle, and keeps
    /// its debug setting.
    ///
    /// If `keep` is true, returns the settings that the device already has.
    // This case is rare, because tasks usually use the same counters.
    #[cold]
    pub(super) fn replace(
        &mut self,
        settings: &Settings<S, N, C>,
        in_use: u32,
        keep: bool,
    ) -> Kept {
        let mut kept = Kept::NOTHING;
        if keep {
            let pairs = settings.counters.iter().zip(&self.programmed.counters);
            for (counter, (new, old)) in pairs.enumerate() {
                kept.settings |= u32::from(new.selection == old.selection) << counter;
            }
            kept.settings = (kept.settings | Clock::BIT) & in_use & self.in_use;
        }
        let clock = self.pending().cycles;
        self.programmed.copy_from(settings);
        self.programmed.cycles =
            if settings.cycles.is_on() { clock.on_as(N) } else { clock.off_after(N) };
        self.programmed.cycles.set_from(settings.cycles.from());
        self.pending = None;
        kept
    }

    /// Records that the settings were programmed.
    ///
    /// The device rejected the settings of the counters in `rejected`. The records of overflows and interference of
    /// the last measurement are cleared. The counts of the last measurement become invalid; new counts are valid
    /// after [`finish`](Self::finish).
    #[inline(always)]
    pub(super) const fn set_programmed(&mut self, in_use: u32, rejected: u32) {
        self.in_use = in_use;
        self.overflowed = 0;
        self.disturbed = rejected;
        self.disabled = 0;
    }

    /// Begins a resume: after a diagnosis that changed a counter, all counters become disturbed.
    pub(super) const fn resume(&mut self) {
        if matches!(self.last_stop, LastStop::Unrestored) {
            self.disturbed |= self.in_use;
        }
    }

    /// Returns the counters in use whose value or setting has changed since the last stop.
    ///
    /// If a counter differs, all counts are disturbed after a [`resume`](Self::resume). The counts of the last stop
    /// stay valid.
    #[cold]
    pub(super) fn compare(&mut self, held: &Latched<N, C, V>, changed: u32) -> u32 {
        let mut others = changed;
        for (counter, (held, latched)) in held.values.iter().zip(&self.latched.values).enumerate() {
            others |= u32::from(held != latched) << counter;
        }
        others |=
            u32::from(C::value::<V>(held.cycles) != C::value(self.latched.cycles)) << Clock::NUMBER;
        others &= self.in_use;
        if others != 0 && !self.failed() {
            self.last_stop = LastStop::Unrestored;
        }
        others
    }

    /// Returns a copy of the values of the last stop.
    pub(super) const fn latched(&self) -> Latched<N, C, V> {
        self.latched
    }

    /// Returns whether the last start programmed any counter.
    pub(super) const fn has_started(&self) -> bool {
        self.in_use != 0
    }

    /// Returns the counters that are on.
    #[inline(always)]
    pub(super) const fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Returns the counters whose overflow flags were set since the start.
    #[inline(always)]
    pub(super) const fn overflowed(&self) -> u32 {
        self.overflowed
    }

    /// Records counters with changed settings, and whether the PMU was disabled.
    ///
    /// The next start clears this record.
    #[inline(always)]
    pub(super) const fn add_interference(&mut self, counters: u32, disabled: bool) {
        self.disturbed |= counters;
        if disabled {
            self.disabled = u32::MAX;
        }
    }

    /// Records counters whose overflow flags were set.
    #[inline(always)]
    pub(super) const fn add_overflows(&mut self, counters: u32) {
        self.overflowed |= counters;
    }

    /// Returns the programmed settings, and the storage for the values at a stop.
    #[inline(always)]
    pub(super) const fn latch(&mut self) -> (&Settings<S, N, C>, &mut Latched<N, C, V>) {
        (&self.programmed, &mut self.latched)
    }

    /// Ends a stop: the counts are valid from now on.
    #[inline(always)]
    pub(super) const fn finish(&mut self, error: bool) {
        self.last_stop = if error { LastStop::Failed } else { LastStop::Whole };
        let invalid = self.overflowed | self.disturbed | self.disabled;
        self.valid = if error { 0 } else { self.in_use & !invalid };
    }

    /// Returns whether an access failed before the end of the last stop.
    #[inline(always)]
    const fn failed(&self) -> bool {
        matches!(self.last_stop, LastStop::Failed)
    }

    /// Returns the reasons why values of running counters are invalid now.
    #[inline(always)]
    pub(super) const fn validity(&self) -> Validity {
        let disturbed = self.disturbed | self.disabled;
        Validity { in_use: self.in_use, disturbed, overflowed: self.overflowed }
    }

    /// Returns the count of a counter; `None` if the count is not exact.
    ///
    /// `bit` is the bit of this counter in words that have one bit for each counter.
    #[inline(always)]
    fn exact(&self, bit: u32, from: u32, value: V) -> Option<u32> {
        if self.valid & bit != 0 { value.without_wrap(from) } else { None }
    }

    /// Returns the counters whose counts are exact unless their values wrapped.
    #[inline(always)]
    pub(super) const fn valid(&self) -> u32 {
        self.valid
    }

    /// Returns the value of an event counter at the last stop.
    #[inline(always)]
    pub(super) const fn value(&self, counter: usize) -> V {
        self.latched.values[counter]
    }

    /// Returns the value of the cycle counter at the last stop.
    #[inline(always)]
    pub(super) fn cycle_value(&self) -> V {
        C::value(self.latched.cycles)
    }

    /// Returns the count of the counter that `bit` stands for.
    #[inline(always)]
    fn count_of(&self, bit: u32, from: u32, value: V, counts_wraps: bool) -> Count {
        if let Some(events) = self.exact(bit, from, value) {
            return Count::new(events);
        }
        if self.in_use & bit == 0 {
            return Count::NOT_COUNTED;
        }
        let disturbed = self.disturbed | self.disabled;
        if V::HAS_WRAPS && counts_wraps {
            return long(bit, (from, value.into()), self.overflowed, disturbed, self.failed());
        }
        invalid(bit, (from, value.low()), self.overflowed, disturbed, self.failed())
    }

    /// Returns the start value and the latched value of an event counter.
    #[inline(always)]
    const fn held(&self, counter: usize) -> (u32, V) {
        (self.programmed.counters[counter].from, self.latched.values[counter])
    }

    /// Returns the start value and the latched value of the cycle counter.
    #[inline(always)]
    fn held_cycles(&self) -> (u32, V) {
        (self.programmed.cycles.from(), C::value(self.latched.cycles))
    }

    /// Returns the count of an event counter at the last stop.
    ///
    /// `counts_wraps` is the [property](super::Hardware::counts_wraps) of the hardware.
    pub(super) fn count(&self, counter: usize, counts_wraps: bool) -> Count {
        if counter >= N {
            return Count::NOT_COUNTED;
        }
        let (from, value) = self.held(counter);
        self.count_of(1 << counter, from, value, counts_wraps)
    }

    /// Returns the count of a saturating event counter at the last stop.
    pub(super) fn count_of_saturating(&self, counter: usize) -> Count {
        if counter >= N || self.in_use >> counter & 1 == 0 {
            return Count::NOT_COUNTED;
        }
        let (from, value) = self.held(counter);
        self.validity().of_saturating(counter, (from, value.low()), self.failed())
    }

    /// Returns the count of the cycle counter at the last stop.
    pub(super) fn cycles(&self) -> Count {
        let (from, value) = self.held_cycles();
        self.count_of(Clock::BIT, from, value, V::HAS_WRAPS)
    }

    /// Returns whether selection `nth` is the cycle counter.
    #[inline(always)]
    fn is_cycles(&self, nth: usize) -> bool {
        C::COUNTERS != 0 && nth == self.programmed.cycles.nth()
    }

    /// Returns the event counter of selection `nth`.
    #[inline(always)]
    fn event_counter(&self, nth: usize) -> usize {
        if nth > self.programmed.cycles.nth() { nth - 1 } else { nth }
    }

    /// Returns the count of the `nth` selection at the last stop.
    #[inline]
    pub(super) fn count_of_selection(&self, nth: usize, counts_wraps: impl Fn() -> bool) -> Count {
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
            Some(events) => Count::new(events),
            None => self.inexact_count(nth, counts_wraps()),
        }
    }

    /// Returns a count that may be invalid. This path is rare.
    #[cold]
    #[inline(never)]
    fn inexact_count(&self, nth: usize, counts_wraps: bool) -> Count {
        if self.is_cycles(nth) {
            return self.cycles();
        }
        self.count(self.event_counter(nth), counts_wraps)
    }

    /// Returns the number of the counter for selection `nth`. Number `N` is the cycle counter.
    ///
    /// The result is `usize::MAX` if there is no such counter.
    pub(super) fn counter_of(&self, nth: usize) -> usize {
        if self.is_cycles(nth) {
            return N;
        }
        let counter = self.event_counter(nth);
        if counter < N { counter } else { usize::MAX }
    }

    /// Returns the programmed selection of a counter. Number `N` is the cycle counter.
    ///
    /// The result is `None` if the counter is not in use or does not exist.
    pub(super) fn selection(&self, counter: usize) -> Option<C::Selection<S>> {
        if counter == N {
            return C::select_cycles().filter(|_| self.in_use & Clock::BIT != 0);
        }
        let used = counter < N && self.in_use >> counter & 1 == 1;
        let config = self.programmed.counters.get(counter).filter(|_| used)?;
        config.selection.map(C::select_event)
    }

    /// Returns the start value of a counter. Number `N` is the cycle counter.
    pub(super) fn started_from(&self, counter: usize) -> u32 {
        match self.programmed.counters.get(counter) {
            Some(config) => config.from,
            None if counter == N => self.programmed.cycles.from(),
            None => 0,
        }
    }

    /// Records that a counter restarts at `from`, and clears its overflow.
    ///
    /// The next start uses the previous start value again. Returns whether the counter is in use;
    /// if it is not, nothing changes.
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

    /// Returns the counters that other software changed since the last start.
    pub(super) const fn interference(&self) -> Option<Interference> {
        Interference::new(self.disturbed, self.disabled != 0)
    }

    /// Assigns a counter to each element of `selections`. All other counters are off.
    // The function is inlined into `measure`, which knows the number of selections.
    #[inline(always)]
    pub(super) fn assign(&mut self, selections: &[C::Selection<S>]) -> Result<(), AssignError> {
        // All settings are new, so the programmed settings are not copied first, unlike in `pending_mut`.
        let settings = Settings::without_events(selections, self.pending().cycles)?;
        let pending = if self.has_started() {
            self.pending.insert(settings)
        } else {
            self.programmed = settings;
            &mut self.programmed
        };
        pending.set_events(selections, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::CountError;

    /// No device reaches these states, because no selection is read before a start, and a stop that fails also finds
    /// the PMU disabled.
    #[test]
    fn unused_and_failed_counters_show_nothing() {
        let mut state = PmuState::<char, 2, ()>::new((), ());
        state.pending_mut().counters[0] = CounterConfig::on('a', 0);
        assert_eq!(state.selection(0), None, "not started");
        state.set_programmed(0b01, 0);
        assert_eq!([0, 1, 2].map(|counter| state.selection(counter)), [Some('a'), None, None]);
        state.finish(true);
        assert_eq!(state.count(0, false).exact(), Err(CountError::BusError));
    }
}
