//! Selections of a PMU with a cycle counter in addition to its event counters.

use core::fmt;

/// An event or the clock cycles, on a PMU with a cycle counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum EventOrCycles<E> {
    /// An event.
    Event(E),
    /// Clock cycles, counted by the cycle counter.
    Cycles,
}

impl<E> From<E> for EventOrCycles<E> {
    fn from(event: E) -> Self {
        Self::Event(event)
    }
}

impl<E: fmt::Display> fmt::Display for EventOrCycles<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => event.fmt(f),
            Self::Cycles => f.pad("cycles"),
        }
    }
}

/// The event type of an [`EventOrCycles`], for macros.
#[doc(hidden)]
pub trait WithCycles {
    /// Selection of an event.
    type Event;
}

impl<E> WithCycles for EventOrCycles<E> {
    type Event = E;
}
