//! One counter, while the PMU is stopped.

use core::num::NonZeroU32;

use crate::Selection;
use crate::pmu::Slot;

/// One counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
#[derive(Debug)]
#[must_use = "the counter is not set until one of its methods is called"]
pub struct Counter<'p> {
    slot: &'p mut Slot,
}

impl<'p> Counter<'p> {
    pub(crate) fn new(slot: &'p mut Slot) -> Self {
        Self { slot }
    }

    /// Counts this from the next start on.
    pub fn count(self, what: Selection) {
        self.count_from(what, 0);
    }

    /// Counts this from the next start on, and starts at `from` in place of 0.
    ///
    /// The overflow flag goes up after 2^32 - `from` events, and asserts the counter's output
    /// nEVNTCNTOVERFLOW; where that leads is a matter of the SoC. The [count](crate::Count) includes `from`.
    pub fn count_from(self, what: Selection, from: u32) {
        *self.slot = Slot { selection: Some(what), from };
    }

    /// Counts this from the next start on, so that the counter overflows at the event with the
    /// number `events`: a budget. The same as [`count_from`](Self::count_from) 2^32 - `events`.
    pub fn overflow_after(self, what: Selection, events: NonZeroU32) {
        self.count_from(what, events.get().wrapping_neg());
    }

    /// Counts nothing from the next start on.
    pub fn off(self) {
        *self.slot = Slot::OFF;
    }

    /// What it will count from the next start on.
    #[must_use]
    pub fn selection(&self) -> Option<Selection> {
        self.slot.selection
    }
}
