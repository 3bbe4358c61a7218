//! The order of a measurement, in calls of the hardware's procedures.

use core::fmt;
use core::num::NonZeroU32;

use super::counter::{Counter, CounterConfig};
use super::cycle_counter::{Clock, Cycles};
use super::cycle_setting::CycleSetting;
use super::hardware::{Acknowledged, Hardware, Programmed, Stopped};
use super::run::run_between;
use super::state::{PmuState, Settings, Validity};
use crate::count::{Count, CountError};
use crate::measure::{AssignError, Interference};

/// The driver of one PMU: its state, and the procedures of its hardware.
#[repr(C)]
pub struct Driver<H, S, const N: usize, C: CycleSetting = ()> {
    // First, so that its offset does not depend on the hardware (`cargo xtask size`).
    state: PmuState<S, N, C>,
    hardware: H,
}

impl<H, S, const N: usize> Driver<H, S, N> {
    /// Creates a driver with all counters off. The device is not accessed.
    #[must_use]
    #[inline(always)]
    pub const fn new(hardware: H) -> Self {
        Self { state: PmuState::new((), ()), hardware }
    }
}

impl<H, S, const N: usize> Driver<H, S, N, Clock> {
    /// Like [`new`](Driver::new), for a PMU with a cycle counter.
    #[must_use]
    #[inline(always)]
    pub const fn with_cycle_counter(hardware: H) -> Self {
        Self { state: PmuState::new(Clock::off_after(N), 0), hardware }
    }
}

/// Methods that do not access the device.
impl<H, S: Copy + PartialEq, const N: usize, C: CycleSetting> Driver<H, S, N, C> {
    /// Number of counters, the cycle counter included.
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

    /// Returns the settings of the event counters for the next start.
    ///
    /// The call sets the order of the selections: from that start on, the order of the counters, the cycles
    /// last.
    pub fn counters_mut(&mut self) -> &mut [CounterConfig<S>; N] {
        let pending = self.state.pending_mut();
        pending.cycles.move_after(N);
        &mut pending.counters
    }

    /// Returns event counter `n`, to set its event; `None` if it does not exist.
    pub fn counter(&mut self, n: usize) -> Option<Counter<'_, S>> {
        if n < N { self.counters_mut().get_mut(n).map(Counter::from) } else { None }
    }

    /// Returns the settings for the next start.
    #[must_use]
    pub const fn pending(&self) -> &Settings<S, N, C> {
        self.state.pending()
    }

    /// Returns the settings of the last start; before the first, the pending ones.
    #[must_use]
    pub const fn programmed(&self) -> &Settings<S, N, C> {
        self.state.programmed()
    }

    /// Returns the counters in use since the last start.
    #[must_use]
    #[inline(always)]
    pub const fn in_use(&self) -> u32 {
        self.state.in_use()
    }

    /// Returns the counter of the `nth` selection of the last start.
    ///
    /// Event counters are numbered from 0; `N` is the cycle counter. `usize::MAX` if there is none.
    #[must_use]
    pub fn counter_of(&self, nth: usize) -> usize {
        self.state.counter_of(nth)
    }

    /// Returns the selection of a counter since the last start.
    ///
    /// `N` is the cycle counter. `None` if the counter is off or does not exist.
    #[must_use]
    pub fn selection(&self, counter: usize) -> Option<C::Selection<S>> {
        self.state.selection(counter)
    }

    /// Returns the start value of a counter. `N` is the cycle counter.
    #[must_use]
    pub fn started_from(&self, counter: usize) -> u32 {
        self.state.started_from(counter)
    }

    /// Returns the number of cycles for each count of a counter since the last start: 1 or 64.
    ///
    /// `N` is the cycle counter. The others count every event: 1.
    #[must_use]
    pub fn divider(&self, counter: usize) -> u32 {
        if counter == N { self.state.programmed().cycles.divider() } else { 1 }
    }

    /// Returns the counters whose overflow flag was acknowledged since the last start.
    ///
    /// Event counter `n` is bit `n`; the cycle counter is bit `N`.
    #[must_use]
    #[inline(always)]
    pub const fn overflowed(&self) -> u32 {
        let set = self.state.overflowed();
        if C::COUNTERS == 0 { set } else { set & !Clock::BIT | (set >> Clock::NUMBER) << N }
    }

    /// Returns the counters whose settings were changed since the last start.
    ///
    /// Settings that the device rejected are included.
    #[must_use]
    #[inline(always)]
    pub const fn interference(&self) -> Option<Interference> {
        self.state.interference()
    }
}

impl<H, S: Copy + PartialEq, const N: usize> Driver<H, S, N, Clock> {
    /// Returns the cycle counter, to set whether and how it counts.
    pub fn cycle_counter(&mut self) -> Cycles<'_> {
        (&mut self.state.pending_mut().cycles).into()
    }

    /// Sets whether the cycle counter stops while non-invasive debug is not permitted.
    ///
    /// The setting applies from the next start on.
    pub fn cycles_need_debug(&mut self, yes: bool) {
        self.state.pending_mut().cycles.needs_debug = yes;
    }

    /// Returns the count of the cycle counter at the last stop.
    ///
    /// [`Count::NOT_COUNTED`] if it was off.
    #[must_use]
    #[inline]
    pub fn cycles(&self) -> Count {
        self.state.cycles()
    }
}

/// Counts. These methods do not access the device.
impl<H, S, const N: usize, C> Driver<H, S, N, C>
where
    H: Hardware<N, Selection = S, Cycles = C>,
    S: Copy + PartialEq,
    C: CycleSetting,
{
    /// Returns the count of an event counter at the last stop.
    ///
    /// [`Count::NOT_COUNTED`] if the counter was off or does not exist.
    #[must_use]
    #[inline(always)]
    pub const fn count(&self, counter: usize) -> Count {
        if H::SATURATES {
            return self.state.count_of_saturating(counter);
        }
        self.state.count(counter)
    }

    /// Returns the count of the `nth` selection of the last start, at the last stop.
    #[must_use]
    #[inline]
    pub fn count_of_selection(&self, nth: usize) -> Count {
        if H::SATURATES {
            return match self.state.counter_of(nth) {
                counter if counter < N => self.state.count_of_saturating(counter),
                _ => self.state.count_of_selection(nth),
            };
        }
        self.state.count_of_selection(nth)
    }
}

/// Methods that access the device.
impl<H, S, const N: usize, C> Driver<H, S, N, C>
where
    H: Hardware<N, Selection = S, Cycles = C>,
    S: Copy + PartialEq,
    C: CycleSetting,
{
    /// Assigns a counter to each of `selections`. The other counters are off.
    ///
    /// # Errors
    ///
    /// If there are too few counters, or an earlier access failed. On an error, nothing changes.
    #[inline]
    pub fn assign(&mut self, selections: &[C::Selection<S>]) -> Result<(), AssignError> {
        match self.hardware.error() {
            Some(error) => Err(AssignError::BusError(error)),
            None => self.state.assign(selections),
        }
    }

    /// Programs the pending settings and starts to count from their start values.
    #[inline]
    pub fn start(&mut self) {
        self.state.begin();
        let Programmed { in_use, rejected, control } =
            self.hardware.program(self.state.programmed());
        // Update the state before the counters are enabled, so that they do not count its stores.
        self.state.set_programmed(in_use, rejected);
        self.enable(control);
    }

    /// Continues to count from the values of the last stop. The first call is a start.
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
    fn enable(&mut self, control: H::Control) {
        let enabled = self.hardware.enable(control);
        self.state.add_interference(0, !enabled);
    }

    /// Stops counting and latches the values.
    ///
    /// Also compares the settings with the programmed ones, and acknowledges overflows.
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

    /// Disables the counters, and checks after a diagnosis that they are as the last stop left them.
    ///
    /// `ran` is true if they were enabled in between. Returns the counters in use with another value or setting. If
    /// there is one, a [`resume`](Self::resume) disturbs all. Clears overflow flags of counters in use: the stop had
    /// cleared them, so the work of a trial set them.
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

    /// Counts while `work` runs. Stops even if `work` panics.
    #[inline(always)]
    pub fn run<R>(&mut self, work: impl FnOnce() -> R) -> R {
        run_between(self, Self::start, Self::stop, work)
    }

    /// Reads all event counters while they count.
    #[inline(always)]
    pub fn read(&self) -> [Count; N] {
        // Once for all counters.
        let (validity, there) = (self.state.validity(), self.there());
        let mut counts = [Count::NOT_COUNTED; N];
        H::walk(|counter| counts[counter] = self.read_counter(validity, there, counter));
        self.confirm(&mut counts);
        counts
    }

    /// Reads the cycle counter while it counts.
    #[inline(always)]
    pub fn read_cycles(&self) -> Count {
        let mut count = self.read_cycle_counter(self.state.validity());
        self.confirm_from(N, core::slice::from_mut(&mut count));
        count
    }

    /// Reads counters while they count, from counter 0 on, into `counts`.
    ///
    /// The cycle counter follows the event counters.
    #[inline(always)]
    pub fn read_into(&self, counts: &mut [Count]) {
        let (validity, there) = (self.state.validity(), self.there());
        if let Some((events, rest)) = counts.split_first_chunk_mut::<N>() {
            H::walk(|counter| events[counter] = self.read_counter(validity, there, counter));
            for (nth, count) in rest.iter_mut().enumerate() {
                let is_cycles = nth < C::COUNTERS;
                *count =
                    if is_cycles { self.read_cycle_counter(validity) } else { Count::NOT_COUNTED };
            }
        } else {
            H::walk(|counter| {
                if let Some(count) = counts.get_mut(counter) {
                    *count = self.read_counter(validity, there, counter);
                }
            });
        }
        self.confirm(counts);
    }

    /// Returns the event counters that may be accessed now.
    #[inline(always)]
    fn there(&self) -> u32 {
        if H::MAY_LOSE_COUNTERS { self.hardware.readable() } else { u32::MAX }
    }

    #[inline(always)]
    fn read_counter(&self, validity: Validity, there: u32, counter: usize) -> Count {
        if self.state.in_use() >> counter & 1 == 0 {
            return Count::NOT_COUNTED;
        }
        if H::MAY_LOSE_COUNTERS && there >> counter & 1 == 0 {
            return Count::invalid(0, reason(self.hardware.error().is_some()));
        }
        self.hardware.select(counter);
        if H::SATURATES {
            let from = self.state.programmed().counters[counter].from;
            let held = (from, self.hardware.value(counter));
            return validity.of_saturating(counter, held, self.hardware.error().is_some());
        }
        let count = validity.read(
            counter,
            self.state.programmed().counters[counter].from,
            || self.hardware.flags(counter),
            || self.hardware.value(counter),
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
        if self.state.in_use() & Clock::BIT == 0 {
            return Count::NOT_COUNTED;
        }
        validity.read(
            Clock::NUMBER,
            self.state.programmed().cycles.from(),
            || self.hardware.cycle_flags(),
            || self.hardware.cycle_value(),
            || self.hardware.error().is_some(),
        )
    }

    /// Converts captured values of running counters into counts.
    ///
    /// `flags` has the overflow flags of the capture. An entry of `values` is `None` if that counter is not in
    /// use.
    pub fn counts_of(&self, flags: u32, values: [Option<u32>; N]) -> [Count; N] {
        let mut counts = core::array::from_fn(|counter| {
            let Some(value) = values[counter] else { return Count::NOT_COUNTED };
            let error = || self.hardware.error().is_some();
            let from = self.state.started_from(counter);
            self.state.validity().read(counter, from, || flags, || value, error)
        });
        self.confirm(&mut counts);
        counts
    }

    /// Replaces the counts of counters that are not [readable](Hardware::readable) by errors.
    ///
    /// `counts` begins with counter 0; the cycle counter follows the event counters. Call it after all reads, so that
    /// it also detects a device that stopped answering during them.
    #[inline(always)]
    pub fn confirm(&self, counts: &mut [Count]) {
        self.confirm_from(0, counts);
    }

    /// Like [`confirm`](Self::confirm), for counts that begin with counter `first`. `N` is the cycle counter.
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

    /// Records counters that another party was found to have changed or taken away.
    ///
    /// Procedures that this driver does not call. The records last until the next start.
    #[inline(always)]
    pub const fn add_interference(&mut self, counters: u32) {
        self.state.add_interference(counters, false);
    }

    /// Clears the overflow flags that are set, of counters in use. Returns them.
    #[inline(always)]
    pub fn acknowledge(&mut self) -> u32 {
        let Acknowledged { overflowed, disturbed, is_enabled } =
            self.hardware.acknowledge(self.state.in_use());
        // A full counter stays full, and is reported once.
        let new = if H::SATURATES { overflowed & !self.state.overflowed() } else { overflowed };
        self.state.add_overflows(overflowed);
        self.state.add_interference(disturbed, !is_enabled);
        new
    }

    /// Restarts one counter, while the others count, so that it overflows after `events` events.
    ///
    /// A counter that saturates is full then. `N` is the cycle counter. The call has no effect on
    /// an unused counter.
    pub fn rearm_after(&mut self, counter: usize, events: NonZeroU32) {
        let from = if H::SATURATES { !events.get() } else { events.get().wrapping_neg() };
        self.rearm(counter, from);
    }

    /// Restarts one counter at the value `from`, while the others count.
    ///
    /// `N` is the cycle counter. The call has no effect on an unused counter.
    pub fn rearm(&mut self, counter: usize, from: u32) {
        if self.state.restart(counter, from) {
            let (settings, in_use) = (self.state.programmed(), self.state.in_use());
            let disturbed = self.hardware.rearm(settings, in_use, counter, from);
            self.state.add_interference(disturbed, false);
        }
    }
}

/// The reason why the count of an unreadable counter is invalid.
#[inline(always)]
const fn reason(error: bool) -> CountError {
    if error { CountError::BusError } else { CountError::Disturbed }
}

/// Replaces the counts by errors, for counters that were not enabled.
#[cold]
fn invalidate(counts: &mut [Count], error: bool) {
    let why = reason(error);
    for count in counts {
        if *count != Count::NOT_COUNTED {
            *count = Count::invalid(count.wrapping_value(), why);
        }
    }
}

/// Replaces the counts of these counters by errors.
///
/// `counts` begins with the count of counter `first`; `N` is the cycle counter.
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

/// Prints the settings and the state. Does not access the device.
impl<H, S: fmt::Debug, const N: usize, C: CycleSetting> fmt::Debug for Driver<H, S, N, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}
