//! What the selections of all IPs are made of, and what goes wrong when one is made from a number or
//! from text.
//!
//! Each IP has a `Selection` of its own; their numbers and their errors are the same.

use core::fmt;
use core::num::NonZeroU32;

/// The number in a `Selection`, 0 to 65535.
///
/// Kept so that 0 is free to mean "none" or "the cycles": what may be an id is one word, and whether it
/// is one is found out by comparing that word with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(NonZeroU32);

impl EventId {
    /// Set in all of them.
    const MARK: u32 = 1 << 16;

    /// This number.
    #[inline(always)]
    #[must_use]
    pub const fn new(id: u16) -> Self {
        match NonZeroU32::new(Self::MARK | id as u32) {
            Some(marked) => Self(marked),
            // Never: the mark is set.
            None => Self(NonZeroU32::MIN),
        }
    }

    /// The number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0.get() as u16
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventId({:#x})", self.get())
    }
}

/// What a counter can select: the `Selection` of a PMU, and an event that needs no source.
///
/// Generated code implements it. A simulated device takes it in place of a number.
#[diagnostic::on_unimplemented(
    message = "a counter cannot select `{Self}`",
    note = "an event of a source is `SOURCE.event(EVENT)`; what the manual does not list is `Selection::raw`"
)]
pub trait Selectable: Copy + fmt::Debug {
    /// The PMU that has the event, as a path: `cci550`, `mmu600::tbu`.
    const PMU: &'static str;

    /// The event id: what the fields of the event and of its source hold, one above the other.
    fn event_id(self) -> u16;
}

/// The manual lists no event with this number of a source and this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum UnknownEvent {
    /// No source has this number.
    Source(u16),
    /// The source has no event with this code.
    Code {
        /// The number of the source.
        source: u16,
        /// The code that it does not have.
        code: u16,
    },
}

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(source) => write!(f, "no source has the number {source:#x}"),
            Self::Code { source, code } => {
                write!(f, "the source {source:#x} has no event with the code {code:#04x}")
            }
        }
    }
}

impl core::error::Error for UnknownEvent {}

/// No event that the manual lists has this event id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownId(
    /// The id that was asked for.
    pub u16,
);

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no listed event has the id {:#05x}", self.0)
    }
}

impl core::error::Error for UnknownId {}

/// The text does not name a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InvalidSelection {
    /// Neither `source:event` nor `raw:number`.
    Form,
    /// No source has this name.
    Source,
    /// The source has no event of this name, or the PMU has not, where events have no source.
    Event,
    /// After `raw:` stands no number, or one that is too wide for the event id.
    Number,
}

impl fmt::Display for InvalidSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => {
                "a selection is written as source:event, or as raw:0x followed by an event id"
            }
            Self::Source => "no source has that name",
            Self::Event => "there is no event of that name, or not at that source",
            Self::Number => "the event id is not 0x and hexadecimal digits, or too wide",
        })
    }
}

impl core::error::Error for InvalidSelection {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::event::EventOrCycles;
    use std::format;

    #[test]
    fn every_number_is_an_id_and_one_word_with_what_is_none() {
        for id in 0..=u16::MAX {
            assert_eq!(EventId::new(id).get(), id);
        }
        assert!(EventId::new(7) < EventId::new(8) && EventId::new(7) == EventId::new(7));
        assert_eq!(format!("{:?}", EventId::new(0x1F)), "EventId(0x1f)");
        assert_eq!(size_of::<Option<EventId>>(), 4);
        assert_eq!(size_of::<EventOrCycles<EventId>>(), 4);
    }
}
