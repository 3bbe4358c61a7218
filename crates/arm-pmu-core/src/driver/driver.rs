//! The order in which a measurement calls the hardware's procedures.

use core::fmt;
use core::num::NonZeroU32;

use super::counter::{Counter, CounterConfig};
use super::cycle_counter::{Clock, Cycles};
use super::cycle_setting::CycleSetting;
use super::hardware::{Acknowledged, Hardware, Programmed, Stopped};
use super::run::run_between;
use super::state::{PmuState, Settings, Validity};
use super::value::CounterValue;
use crate::count::{Count, CountError};
use crate::measure::{AssignError, Interference};

/// Driver of one PMU: its state, and its hardware procedures.
#[repr(C)]
pub struct Driver<H, S, const N: usize, C: CycleSetting = (), V: CounterValue = u32> {
    // This is the first field, so that its offset does not depend on the hardware (`cargo xtask
    // size`).
    pub(super) state: PmuState<S, N, C, V>,
    pub(super) hardware: H,
}

impl<H, S, const N: usize> Driver<H, S, N> {
    /// Creates a driver with all counters off. Creating the driver does not access the device.
    #[must_use]
    #[inline(always)]
    pub const fn new(hardware: H) -> Self {
        Self { state: PmuState::new((), ()), hardware }
    }
}

impl<H, S, const N: usize, V: CounterValue> Driver<H, S, N, Clock, V> {
    /// Creates a driver for a PMU with a cycle counter, with all counters off.
    #[must_use]
    #[inline(always)]
    pub const fn with_cycle_counter(hardware: H) -> Self {
        Self { state: PmuState::new(Clock::off_after(N), V::ZERO), hardware }
    }
}

/// Methods that do not access the device.
impl<H, S, const N: usize, C, V> Driver<H, S, N, C, V>
where
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Number of counters, including the cycle counter.
    pub const COUNTERS: usize = N + C::COUNTERS;

    /// Returns the hardware, for calls of its procedures.
    #[inline(always)]
    pub const fn hardware(&self) -> &H {
        &self.hardware
    }

    /// Returns the hardware, for calls of its procedures.
    #[inline(always)]
    pub const fn hardware_mut(&mut self) -> &mut H {
        &mut self.hardware
    }

    /// Consumes the driver and returns the hardware.
    #[inline(always)]
    pub fn release(self) -> H {
        self.hardware
    }

    /// Returns the settings of the event counters for the next start, so that the caller can change
    /// them.
    ///
    /// The next start then orders the selections by counter number, with the cycle counter last.
    pub fn counters_mut(&mut self) -> &mut [CounterConfig<S>; N] {
        let pending = self.state.pending_mut();
        pending.cycles.move_after(N);
        &mut pending.counters
    }

    /// Returns event counter `n`, for selecting its event; `None` if it does not exist.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, S>> {
        if n < N { self.counters_mut().get_mut(n).map(Counter::from) } else { None }
    }

    /// Returns the settings for the next start.
    #[must_use]
    pub const fn pending(&self) -> &Settings<S, N, C> {
        self.state.pending()
    }

    /// Returns the settings of the last start; before the first start, the pending settings.
    #[must_use]
    pub const fn programmed(&self) -> &Settings<S, N, C> {
        self.state.programmed()
    }

    /// Returns the counters that the last start enabled.
    #[must_use]
    #[inline(always)]
    pub const fn in_use(&self) -> u32 {
        self.state.in_use()
    }

    /// Returns the number of the counter for the `nth` selection of the last start.
    ///
    /// Event counters are numbered from 0; the cycle counter has the number `N`. The result is `usize::MAX` if there
    /// is no such selection.
    #[must_use]
    pub fn counter_of(&self, nth: usize) -> usize {
        self.state.counter_of(nth)
    }

    /// Returns the selection of a counter at the last start.
    ///
    /// Number `N` is the cycle counter. Returns `None` if the counter is off or does not exist.
    #[must_use]
    pub fn selection(&self, counter: usize) -> Option<C::Selection<S>> {
        self.state.selection(counter)
    }

    /// Returns the start value of a counter. Number `N` is the cycle counter.
    #[must_use]
    pub fn started_from(&self, counter: usize) -> u32 {
        self.state.started_from(counter)
    }

    /// Returns the number of cycles for each increment of a counter: 1 or 64.
    ///
    /// Number `N` is the cycle counter. For event counters, which count every event, the result is
    /// 1.
    #[must_use]
    pub fn divider(&self, counter: usize) -> u32 {
        if counter == N { self.state.programmed().cycles.divider() } else { 1 }
    }

    /// Returns the counters whose overflow flags were acknowledged since the last start.
    ///
    /// Bit `n` is event counter `n`; bit `N` is the cycle counter.
    #[must_use]
    #[inline(always)]
    pub const fn overflowed(&self) -> u32 {
        Self::numbered(self.state.overflowed())
    }

    /// Returns the set with the bit of the cycle counter moved to bit `N`.
    #[inline(always)]
    const fn numbered(set: u32) -> u32 {
        if C::COUNTERS == 0 { set } else { set & !Clock::BIT | (set >> Clock::NUMBER) << N }
    }

    /// Returns the counters whose settings other software changed since the last start.
    ///
    /// The result includes counters whose settings the device rejected.
    #[must_use]
    #[inline(always)]
    pub const fn interference(&self) -> Option<Interference> {
        self.state.interference()
    }
}

impl<H, S: Copy + PartialEq, const N: usize, V: CounterValue> Driver<H, S, N, Clock, V> {
    /// Returns the cycle counter, for changing its settings.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        (&mut self.state.pending_mut().cycles).into()
    }

    /// Selects whether the cycle counter stops while non-invasive debug is not permitted.
    ///
    /// The setting takes effect at the next start.
    pub fn cycles_need_debug(&mut self, yes: bool) {
        self.state.pending_mut().cycles.needs_debug = yes;
    }

    /// Returns the count of the cycle counter at the last stop.
    ///
    /// The result is [`Count::NOT_COUNTED`] if the cycle counter was off.
    #[must_use]
    #[inline]
    pub fn cycles(&self) -> Count {
        self.state.cycles()
    }
}

/// Counts. These methods do not access the device.
impl<H, S, const N: usize, C, V> Driver<H, S, N, C, V>
where
    H: Hardware<N, Selection = S, Cycles = C, Value = V>,
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Returns the count of an event counter at the last stop.
    ///
    /// The result is [`Count::NOT_COUNTED`] if the counter was off or does not exist.
    #[must_use]
    #[inline(always)]
    pub fn count(&self, counter: usize) -> Count {
        if H::SATURATES {
            return self.state.count_of_saturating(counter);
        }
        self.state.count(counter, self.hardware.counts_wraps())
    }

    /// Returns the count of the `nth` selection at the last stop.
    #[must_use]
    #[inline]
    pub fn count_of_selection(&self, nth: usize) -> Count {
        if H::SATURATES {
            return match self.state.counter_of(nth) {
                counter if counter < N => self.state.count_of_saturating(counter),
                _ => self.state.count_of_selection(nth, || self.hardware.counts_wraps()),
            };
        }
        self.state.count_of_selection(nth, || self.hardware.counts_wraps())
    }
}

/// Methods that access the device.
impl<H, S, const N: usize, C, V> Driver<H, S, N, C, V>
where
    H: Hardware<N, Selection = S, Cycles = C, Value = V>,
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Assigns a counter to each element of `selections`. All other counters are off.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few counters or an earlier access failed. After an error,
    /// the settings are unchanged.
    #[inline(always)]
    pub fn assign(&mut self, selections: &[C::Selection<S>]) -> Result<(), AssignError> {
        match self.hardware.error() {
            Some(error) => Err(AssignError::BusError(error)),
            None => self.state.assign(selections),
        }
    }

    /// Programs the pending settings and starts counting from the start values.
    #[inline]
    pub fn start(&mut self) {
        self.state.begin();
        let Programmed { in_use, rejected, control } =
            self.hardware.program(self.state.programmed());
        // The state is updated before the counters are enabled, so that the counters do not count the stores of the
        // update.
        self.state.set_programmed(in_use, rejected);
        self.enable(control);
    }

    /// Continues counting from the values of the last stop. The first call is equivalent to a
    /// start.
    #[inline]
    pub fn resume(&mut self) {
        if self.state.has_started() {
            self.state.resume();
            let control = self.hardware.control_to_resume();
            self.enable(control);
        } else {
            self.start();
        }
    }

    #[inline(always)]
    pub(super) fn enable(&mut self, control: H::Control) {
        let enabled = self.hardware.enable(control);
        self.state.add_interference(0, !enabled);
    }

    /// Stops counting and latches the counter values.
    ///
    /// A stop also checks that the settings are still as programmed, and acknowledges overflows.
    #[inline]
    pub fn stop(&mut self) {
        let before = self.hardware.disable();
        let in_use = self.state.in_use();
        let (settings, latched) = self.state.latch();
        let Stopped { overflowed, changed, is_stopped } =
            self.hardware.latch(settings, in_use, before, latched);
        self.state.add_overflows(overflowed);
        self.state.add_interference(changed, !(H::enables(before) & is_stopped));
        self.state.finish(self.hardware.error().is_some());
    }

    /// Disables the counters after a diagnosis, and checks that the values and settings are the same as at the last
    /// stop.
    ///
    /// `ran` is true if another party had enabled the counters. Returns the counters in use whose value or setting
    /// differs. If there is such a counter, all counts are disturbed after a [`resume`](Self::resume). Clears the
    /// overflow flags of counters in use. The stop had cleared these flags, so the diagnosis set any flag that is set
    /// now.
    #[cold]
    pub(crate) fn check_stopped(&mut self, ran: bool) -> u32 {
        if !self.state.has_started() {
            return 0;
        }
        let before = self.hardware.disable();
        let (mut held, in_use) = (self.state.latched(), self.state.in_use());
        let Stopped { changed, is_stopped, .. } =
            self.hardware.latch(self.state.programmed(), in_use, before, &mut held);
        self.state.compare(&held, if ran | !is_stopped { u32::MAX } else { changed })
    }

    /// Starts counting, calls `work`, and stops. The counters stop even if `work` panics.
    #[inline(always)]
    pub fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        run_between(self, Self::start, Self::stop, work)
    }

    /// Reads all event counters while the PMU counts.
    #[inline(always)]
    pub fn read(&self) -> [Count; N] {
        let mut counts = [Count::NOT_COUNTED; N];
        self.read_events(self.state.validity(), &mut counts);
        self.confirm(&mut counts);
        counts
    }

    /// Reads the cycle counter while the PMU counts.
    #[inline(always)]
    pub fn read_cycles(&self) -> Count {
        let mut count = self.read_cycle_counter(self.state.validity());
        self.confirm_from(N, core::slice::from_mut(&mut count));
        count
    }

    /// Reads the running counters into `counts`, beginning with counter 0.
    ///
    /// The cycle counter comes after the event counters.
    #[inline(always)]
    pub fn read_into(&self, counts: &mut [Count]) {
        let validity = self.state.validity();
        if let Some((events, rest)) = counts.split_first_chunk_mut::<N>() {
            *events = [Count::NOT_COUNTED; N];
            self.read_events(validity, events);
            for (nth, count) in rest.iter_mut().enumerate() {
                let is_cycles = nth < C::COUNTERS;
                *count =
                    if is_cycles { self.read_cycle_counter(validity) } else { Count::NOT_COUNTED };
            }
        } else {
            counts.fill(Count::NOT_COUNTED);
            self.read_events(validity, counts);
        }
        self.confirm(counts);
    }

    /// Returns the event counters that may be accessed now.
    #[inline(always)]
    fn there(&self) -> u32 {
        if H::MAY_LOSE_COUNTERS { self.hardware.readable() } else { u32::MAX }
    }

    /// Reads the event counters in use for which `counts` has an element. Other counts stay as they are.
    #[inline(always)]
    fn read_events(&self, validity: Validity, counts: &mut [Count]) {
        let there = self.there();
        H::walk(|counter| {
            if validity.in_use() >> counter & 1 == 1 {
                if let Some(count) = counts.get_mut(counter) {
                    *count = self.read_counter(validity, there, counter);
                }
            }
        });
    }

    #[inline(always)]
    fn read_counter(&self, validity: Validity, there: u32, counter: usize) -> Count {
        if H::MAY_LOSE_COUNTERS && there >> counter & 1 == 0 {
            return Count::invalid(0, reason(self.hardware.error().is_some()));
        }
        self.hardware.select(counter);
        if H::SATURATES {
            let from = self.state.programmed().counters[counter].from;
            let held = (from, self.hardware.value(counter).low());
            return validity.of_saturating(counter, held, self.hardware.error().is_some());
        }
        let count = validity.read(
            counter,
            self.state.programmed().counters[counter].from,
            || self.hardware.flags(counter),
            || self.hardware.value(counter),
            || self.hardware.counts_wraps(),
            || self.hardware.error().is_some(),
        );
        if self.hardware.is_undisturbed(counter) {
            count
        } else {
            // The value may belong to another counter.
            Count::invalid(count.wrapping_value(), CountError::Disturbed)
        }
    }

    #[inline(always)]
    fn read_cycle_counter(&self, validity: Validity) -> Count {
        if validity.in_use() & Clock::BIT == 0 {
            return Count::NOT_COUNTED;
        }
        if V::HAS_WRAPS {
            let (from, value) =
                (self.state.programmed().cycles.from(), self.hardware.cycle_value());
            return validity.with_wraps(Clock::BIT, from, value, self.hardware.error().is_some());
        }
        validity.read(
            Clock::NUMBER,
            self.state.programmed().cycles.from(),
            || self.hardware.cycle_flags(),
            || self.hardware.cycle_value(),
            || false,
            || self.hardware.error().is_some(),
        )
    }

    /// Converts captured values of running counters into counts.
    ///
    /// `flags` contains the captured overflow flags. An entry of `values` is `None` if that counter is not in
    /// use.
    pub fn counts_of(&self, flags: u32, values: [Option<V>; N]) -> [Count; N] {
        let mut counts = core::array::from_fn(|counter| {
            let Some(value) = values[counter] else { return Count::NOT_COUNTED };
            let error = || self.hardware.error().is_some();
            let from = self.state.started_from(counter);
            self.state.validity().read(
                counter,
                from,
                || flags,
                || value,
                || self.hardware.counts_wraps(),
                error,
            )
        });
        self.confirm(&mut counts);
        counts
    }

    /// Invalidates the counts of counters that are not [readable](Hardware::readable).
    ///
    /// `counts` begins with counter 0; the cycle counter comes after the event counters. Call this method after all
    /// reads, so that it also detects a device that stopped answering during the reads.
    #[inline(always)]
    pub fn confirm(&self, counts: &mut [Count]) {
        self.confirm_from(0, counts);
    }

    /// Like [`confirm`](Self::confirm), for counts that begin with counter `first`. Number `N` is the cycle
    /// counter.
    #[inline(always)]
    fn confirm_from(&self, first: usize, counts: &mut [Count]) {
        let readable = self.hardware.readable();
        if H::MAY_LOSE_COUNTERS {
            let lost = self.state.in_use() & !readable;
            if lost != 0 {
                invalidate_lost::<N>(counts, first, lost, self.hardware.error().is_some());
            }
        } else if readable == 0 {
            invalidate(counts, self.hardware.error().is_some());
        }
    }

    /// Records that other software changed or removed these counters.
    ///
    /// Procedures outside this driver call this method. The next start clears this record.
    #[inline(always)]
    pub const fn add_interference(&mut self, counters: u32) {
        self.state.add_interference(counters, false);
    }

    /// Clears the overflow flags of counters in use, and returns the counters whose flags were set.
    #[inline(always)]
    pub fn acknowledge(&mut self) -> u32 {
        let Acknowledged { overflowed, disturbed, is_enabled } =
            self.hardware.acknowledge(self.state.in_use());
        // A full counter stays full, and is reported only once.
        let new = if H::SATURATES { overflowed & !self.state.overflowed() } else { overflowed };
        self.state.add_overflows(overflowed);
        self.state.add_interference(disturbed, !is_enabled);
        new
    }

    /// Like [`acknowledge`](Self::acknowledge), but the cycle counter has bit `N`.
    #[inline(always)]
    pub fn take_overflows(&mut self) -> u32 {
        Self::numbered(self.acknowledge())
    }

    /// Restarts one running counter, so that it overflows after `events` events.
    ///
    /// A saturating counter is full after `events` events. Number `N` is the cycle counter. The
    /// call has no effect on an unused counter.
    pub fn rearm_after(&mut self, counter: usize, events: NonZeroU32) {
        let from = if H::SATURATES { !events.get() } else { events.get().wrapping_neg() };
        self.rearm(counter, from);
    }

    /// Restarts one running counter at the value `from`.
    ///
    /// Number `N` is the cycle counter. The call has no effect on an unused counter.
    pub fn rearm(&mut self, counter: usize, from: u32) {
        if self.state.restart(counter, from) {
            let (settings, in_use) = (self.state.programmed(), self.state.in_use());
            let disturbed = self.hardware.rearm(settings, in_use, counter, from);
            self.state.add_interference(disturbed, false);
        }
    }
}

/// Returns the error of a counter that could not be read.
#[inline(always)]
const fn reason(error: bool) -> CountError {
    if error { CountError::BusError } else { CountError::Disturbed }
}

/// Invalidates the counts of counters that were not enabled.
#[cold]
fn invalidate(counts: &mut [Count], error: bool) {
    let why = reason(error);
    for count in counts {
        if *count != Count::NOT_COUNTED {
            *count = Count::invalid(count.wrapping_value(), why);
        }
    }
}

/// Invalidates the counts of the counters in `lost`.
///
/// The first element of `counts` belongs to counter `first`; number `N` is the cycle counter.
#[cold]
fn invalidate_lost<const N: usize>(counts: &mut [Count], first: usize, lost: u32, error: bool) {
    let why = reason(error);
    for (counter, count) in (first..=N).zip(counts) {
        let bit = if counter == N { Clock::BIT } else { 1 << counter };
        if lost & bit != 0 {
            *count = Count::invalid(count.wrapping_value(), why);
        }
    }
}

/// Prints the settings and the state. Printing does not access the device.
impl<H, S: fmt::Debug, const N: usize, C: CycleSetting, V: CounterValue> fmt::Debug
    for Driver<H, S, N, C, V>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}
