//! Settings of the additional cycle counter, if the PMU has one.

use core::fmt::Debug;

use super::cycle_counter::Clock;
use super::value::CounterValue;
use crate::event::EventOrCycles;

/// Settings of the cycle counter: [`Clock`], or `()` on a PMU without a cycle counter.
pub trait CycleSetting: Copy + Debug {
    /// Type of the cycle counter's value: `V`, like the values of event counters, or `()` without a cycle counter.
    type Value<V: CounterValue>: Copy + Debug;

    /// Type of the selection of one counter: an event, or cycles if there is a cycle counter. `S`
    /// is the type that selects an event.
    type Selection<S: Copy + PartialEq>: Copy + PartialEq;

    /// Number of cycle counters: 0 or 1.
    const COUNTERS: usize;

    /// Returns the setting of a cycle counter that is off, at the position after `counters` event counters.
    fn off_after(self, counters: usize) -> Self;

    /// Returns the setting of a cycle counter that counts every cycle, at position `nth` among the selections.
    fn on_as(self, nth: usize) -> Self;

    /// Moves the cycle counter to the position after `counters` event counters.
    fn move_after(&mut self, counters: usize);

    /// Returns the position of the cycle counter among the selections.
    fn nth(&self) -> usize;

    /// Returns whether the cycle counter counts.
    fn is_on(&self) -> bool;

    /// Returns the start value of the cycle counter.
    fn from(&self) -> u32;

    /// Returns the number of cycles for each increment.
    fn divider(&self) -> u32;

    /// Changes the start value of the cycle counter.
    fn set_from(&mut self, from: u32);

    /// Converts a value of the cycle counter; 0 without a cycle counter.
    fn value<V: CounterValue>(value: Self::Value<V>) -> V;

    /// Returns the selection of an event.
    fn select_event<S: Copy + PartialEq>(event: S) -> Self::Selection<S>;

    /// Returns the selection of the cycles; `None` without a cycle counter.
    fn select_cycles<S: Copy + PartialEq>() -> Option<Self::Selection<S>>;

    /// Returns the event of a selection; `None` for the cycle counter.
    fn event<S: Copy + PartialEq>(selection: Self::Selection<S>) -> Option<S>;
}

impl CycleSetting for () {
    type Value<V: CounterValue> = ();
    type Selection<S: Copy + PartialEq> = S;
    const COUNTERS: usize = 0;

    #[inline(always)]
    fn off_after(self, _: usize) {}

    #[inline(always)]
    fn on_as(self, _: usize) {}

    #[inline(always)]
    fn move_after(&mut self, _: usize) {}

    #[inline(always)]
    fn nth(&self) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn is_on(&self) -> bool {
        false
    }

    #[inline(always)]
    fn from(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn divider(&self) -> u32 {
        1
    }

    #[inline(always)]
    fn set_from(&mut self, _: u32) {}

    #[inline(always)]
    fn value<V: CounterValue>((): ()) -> V {
        V::ZERO
    }

    #[inline(always)]
    fn select_event<S: Copy + PartialEq>(event: S) -> S {
        event
    }

    #[inline(always)]
    fn select_cycles<S: Copy + PartialEq>() -> Option<S> {
        None
    }

    #[inline(always)]
    fn event<S: Copy + PartialEq>(selection: S) -> Option<S> {
        Some(selection)
    }
}

impl CycleSetting for Clock {
    type Value<V: CounterValue> = V;
    type Selection<S: Copy + PartialEq> = EventOrCycles<S>;
    const COUNTERS: usize = 1;

    #[inline(always)]
    fn off_after(self, counters: usize) -> Self {
        Self { needs_debug: self.needs_debug, ..Self::off_after(counters) }
    }

    #[inline(always)]
    fn on_as(self, nth: usize) -> Self {
        Self { on: true, needs_debug: self.needs_debug, ..Self::off_after(nth) }
    }

    #[inline(always)]
    fn move_after(&mut self, counters: usize) {
        self.nth = counters as u8;
    }

    #[inline(always)]
    fn nth(&self) -> usize {
        self.nth.into()
    }

    #[inline(always)]
    fn is_on(&self) -> bool {
        self.on
    }

    #[inline(always)]
    fn from(&self) -> u32 {
        self.from
    }

    #[inline(always)]
    fn divider(&self) -> u32 {
        self.divider.cycles()
    }

    #[inline(always)]
    fn set_from(&mut self, from: u32) {
        self.from = from;
    }

    #[inline(always)]
    fn value<V: CounterValue>(value: V) -> V {
        value
    }

    #[inline(always)]
    fn select_event<S: Copy + PartialEq>(event: S) -> EventOrCycles<S> {
        EventOrCycles::Event(event)
    }

    #[inline(always)]
    fn select_cycles<S: Copy + PartialEq>() -> Option<EventOrCycles<S>> {
        Some(EventOrCycles::Cycles)
    }

    #[inline(always)]
    fn event<S: Copy + PartialEq>(selection: EventOrCycles<S>) -> Option<S> {
        match selection {
            EventOrCycles::Event(event) => Some(event),
            EventOrCycles::Cycles => None,
        }
    }
}
