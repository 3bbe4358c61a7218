//! The cycle counter that some PMUs have beside their event counters, and what it changes for a driver.

use core::fmt::Debug;

use super::cycle_counter::Clock;
use crate::event::EventOrCycles;

/// The setting of the cycle counter: [`Clock`], or `()` on a PMU that has none.
pub trait CycleSetting: Copy + Debug {
    /// What the cycle counter holds.
    type Value: Copy + Debug;

    /// What one counter of such a PMU counts, where `S` is an event with its source.
    type Selection<S: Copy + PartialEq>: Copy + PartialEq;

    /// How many cycle counters there are.
    const COUNTERS: usize;

    /// Off; of the selections, the cycles come after those of `counters` event counters.
    fn off_after(self, counters: usize) -> Self;

    /// Counts every cycle; the cycles are selection number `nth`.
    fn on_as(self, nth: usize) -> Self;

    /// The cycles come after the selections of `counters` event counters.
    fn move_after(&mut self, counters: usize);

    /// Which of the selections is the cycles.
    fn nth(&self) -> usize;

    /// The start value.
    fn from(&self) -> u32;

    /// Changes the start value.
    fn set_from(&mut self, from: u32);

    /// The value as that of any counter.
    fn value(value: Self::Value) -> u32;

    /// Selects an event.
    fn select_event<S: Copy + PartialEq>(event: S) -> Self::Selection<S>;

    /// Selects the cycles, if they can be.
    fn select_cycles<S: Copy + PartialEq>() -> Option<Self::Selection<S>>;

    /// The event of a selection; `None` if it is the cycles.
    fn event<S: Copy + PartialEq>(selection: Self::Selection<S>) -> Option<S>;
}

impl CycleSetting for () {
    type Value = ();
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
    fn from(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn set_from(&mut self, _: u32) {}

    #[inline(always)]
    fn value((): ()) -> u32 {
        0
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
    type Value = u32;
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
    fn from(&self) -> u32 {
        self.from
    }

    #[inline(always)]
    fn set_from(&mut self, from: u32) {
        self.from = from;
    }

    #[inline(always)]
    fn value(value: u32) -> u32 {
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
