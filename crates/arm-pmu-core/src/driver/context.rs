//! Settings and totals of one task, for a switch between tasks.

use super::counter::CounterConfig;
use super::cycle_counter::Clock;
use super::cycle_setting::CycleSetting;
use super::driver::Driver;
use super::hardware::{Hardware, Programmed};
use super::state::{Kept, Settings};
use super::value::CounterValue;
use crate::count::{Amount, Count, CountError};
use crate::measure::AssignError;

/// Value from which each counter of a task starts.
///
/// A counter overflows after 2^31 events. If 2^31 more events follow before the stop, the value reaches the start
/// value again, which shows a late stop. Linux uses the same start value.
const START: u32 = 1 << 31;

/// Settings and totals of one task.
///
/// [`Bank`](crate::measure::Bank) is the public interface of this type.
#[derive(Clone, Copy, Debug)]
pub struct Context<S, const N: usize, C> {
    /// The cycle counter comes after the event counters.
    settings: Settings<S, N, C>,
    in_use: u32,
    /// Position of the cycle counter among the selections.
    nth_is_cycles: usize,
    events: [Total; N],
    cycles: Total,
}

/// Events of one counter in all slices of a task.
#[derive(Clone, Copy, Debug)]
struct Total {
    events: u64,
    inexact: Option<CountError>,
}

impl Total {
    const ZERO: Self = Self { events: 0, inexact: None };

    /// Adds a count that may be inexact.
    fn add(&mut self, count: Count) {
        self.events = self.events.saturating_add(count.lower_bound());
        match count.exact_u64() {
            Ok(_) => {}
            // The value is below the start value, so the counter wrapped once.
            Err(CountError::Overflowed) if count.lower_bound() >> 32 == 0 => {}
            Err(CountError::Overflowed) => {
                self.inexact = self.inexact.or(Some(CountError::Overflowed));
            }
            Err(why) => self.inexact = Some(why),
        }
    }

    const fn amount(self) -> Amount {
        match self.inexact {
            None => Amount::new(self.events),
            Some(why) => Amount::invalid(self.events, why),
        }
    }
}

impl<S: Copy + PartialEq, const N: usize, C: CycleSetting> Context<S, N, C> {
    /// Creates a context whose totals are zero. `off` is the setting of a cycle counter that is off.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU cannot count all `selections` at once.
    pub fn new(selections: &[C::Selection<S>], off: C) -> Result<Self, AssignError> {
        let mut settings = Settings::without_events(selections, off)?;
        settings.set_events(selections, START);
        settings.cycles.set_from(START);
        let nth_is_cycles = settings.cycles.nth();
        let mut context = Self {
            settings,
            in_use: settings.in_use(),
            nth_is_cycles,
            events: [Total::ZERO; N],
            cycles: Total::ZERO,
        };
        context.settings.cycles.move_after(N);
        Ok(context)
    }

    /// Returns the counter of selection `nth`. Number `N` is the cycle counter.
    const fn counter_of(&self, nth: usize) -> usize {
        match nth {
            nth if nth == self.nth_is_cycles => N,
            nth if nth > self.nth_is_cycles => nth - 1,
            _ => nth,
        }
    }

    /// Returns selection `nth`; `None` if there is none.
    pub fn selection(&self, nth: usize) -> Option<C::Selection<S>> {
        match self.counter_of(nth) {
            counter if counter < N => {
                self.settings.counters[counter].selection.map(C::select_event)
            }
            _ => C::select_cycles()
                .filter(|_| nth == self.nth_is_cycles && self.in_use & Clock::BIT != 0),
        }
    }

    /// Returns the events of selection `nth` in all slices.
    pub fn amount(&self, nth: usize) -> Amount {
        if self.selection(nth).is_none() {
            return Amount::NOT_COUNTED;
        }
        self.events.get(self.counter_of(nth)).unwrap_or(&self.cycles).amount()
    }
}

/// Switches between tasks.
impl<H, S, const N: usize, C, V> Driver<H, S, N, C, V>
where
    H: Hardware<N, Selection = S, Cycles = C, Value = V>,
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Starts a slice of a task: counts its selections from zero.
    ///
    /// If `keep` is true, the device still has the settings of the last slice, and only settings that differ are
    /// programmed. After interference, all settings are programmed.
    #[inline]
    pub fn switch_in(&mut self, context: &Context<S, N, C>, keep: bool) {
        let keep = keep & self.state.is_undisturbed();
        let enables = context.in_use == self.state.in_use();
        let kept = if keep & enables {
            let programmed = self.state.programmed_mut();
            let mut settings = context.in_use & Clock::BIT;
            H::walk(|counter| {
                if context.in_use >> counter & 1 == 1 {
                    let config = context.settings.counters[counter];
                    if config.selection == programmed[counter].selection {
                        settings |= 1 << counter;
                    } else {
                        programmed[counter] = config;
                    }
                }
            });
            Kept { settings, enables }
        } else {
            self.state.replace(&context.settings, context.in_use, keep)
        };
        let Programmed { in_use, rejected, control } =
            self.hardware.reprogram(self.state.programmed(), kept);
        self.state.set_programmed(in_use, rejected);
        self.enable(control);
    }

    /// Ends a slice of a task: stops, and adds the counts to the totals.
    #[inline]
    pub fn switch_out(&mut self, context: &mut Context<S, N, C>) {
        self.stop();
        let valid = self.state.valid();
        H::walk(|counter| {
            if valid >> counter & 1 == 1 {
                match since_start(self.state.value(counter)) {
                    Some(events) => context.events[counter].events += events,
                    None => self.add_inexact(context, 1 << counter),
                }
            }
        });
        if valid & Clock::BIT != 0 {
            match since_start(self.state.cycle_value()) {
                Some(cycles) => context.cycles.events += cycles,
                None => self.add_inexact(context, Clock::BIT),
            }
        }
        let invalid = self.state.in_use() & !valid;
        if invalid != 0 {
            self.add_inexact(context, invalid);
        }
    }

    /// Adds the counts of these counters; a count may be inexact or need more than 31 bits.
    #[cold]
    #[inline(never)]
    fn add_inexact(&self, context: &mut Context<S, N, C>, counters: u32) {
        for (counter, total) in context.events.iter_mut().enumerate() {
            if counters >> counter & 1 == 1 {
                total.add(self.count(counter));
            }
        }
        if counters & Clock::BIT != 0 {
            context.cycles.add(self.state.cycles());
        }
    }
}

/// Returns the number of events since a counter started at [`START`]; `None` if the counter wrapped.
#[inline(always)]
fn since_start(value: impl CounterValue) -> Option<u64> {
    let value: u64 = value.into();
    (value >> 31 == 1).then_some(value & u64::from(START - 1))
}

impl<S: Copy, const N: usize, C: CycleSetting> Settings<S, N, C> {
    /// Returns the counters that are on.
    fn in_use(&self) -> u32 {
        let is_on = |config: &CounterConfig<S>| u32::from(config.selection.is_some());
        let events = self.counters.iter().rev().fold(0, |set, config| set << 1 | is_on(config));
        if self.cycles.is_on() { events | Clock::BIT } else { events }
    }
}
