//! Parts that the `Selection` types of all IPs have in common.
//!
//! Each IP has its own `Selection` type. All of these types share the event ids, and the errors of conversions from
//! numbers and text.

use core::fmt;
use core::num::NonZeroU32;

/// Event id of a `Selection`: a number from 0 to 65535, and 15 more bits, in which some PMUs have
/// options.
///
/// Every id is represented as a nonzero word. Therefore `Option<EventId>` and `EventOrCycles<EventId>` also take one
/// word, and a comparison with zero distinguishes their variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(NonZeroU32);

impl EventId {
    /// Bit that is set in the representation of every id.
    const MARK: u32 = 1 << 16;
    /// Number of the lowest bit of the options, which is just above `MARK`.
    const OPTIONS: u32 = 17;

    /// Creates the id with this number.
    #[inline(always)]
    #[must_use]
    pub const fn new(id: u16) -> Self {
        match NonZeroU32::new(Self::MARK | id as u32) {
            Some(marked) => Self(marked),
            // Unreachable, because `MARK` is not zero.
            None => Self(NonZeroU32::MIN),
        }
    }

    /// Returns the number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0.get() as u16
    }

    /// Returns the same id with other options, which have 15 bits.
    #[inline(always)]
    #[must_use]
    pub const fn with_options(self, options: u16) -> Self {
        match NonZeroU32::new(Self::MARK | self.get() as u32 | (options as u32) << Self::OPTIONS) {
            Some(marked) => Self(marked),
            None => self,
        }
    }

    /// Returns the options; 0 if there are none.
    #[inline(always)]
    #[must_use]
    pub const fn options(self) -> u16 {
        (self.0.get() >> Self::OPTIONS) as u16
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventId({:#x})", self.get())
    }
}

/// A type whose values a counter can select: a `Selection`, or an event without a source.
///
/// Generated code implements this trait. A simulated device accepts these types in place of event
/// ids.
#[diagnostic::on_unimplemented(
    message = "a counter cannot select `{Self}`",
    note = "write `SOURCE.event(EVENT)` for an event of a source, and `Selection::raw` for an unlisted event"
)]
pub trait Selectable: Copy + fmt::Debug {
    /// Path of the PMU that has the event: `cci550`, `mmu600::tbu`.
    const PMU: &'static str;

    /// Returns the event id, the value of the counter's event select register.
    ///
    /// The source number is in the bits above the event code.
    fn event_id(self) -> u16;

    /// Returns the [options](EventId::options) of a selection, such as a threshold.
    #[inline(always)]
    fn options(self) -> u16 {
        0
    }
}

/// Error: the manual lists no event with this source number and code.
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
        /// Number of the source.
        source: u16,
        /// The code.
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

/// Error: the manual lists no event with this id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownId(
    /// The event id.
    pub u16,
);

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no listed event has the id {:#05x}", self.0)
    }
}

impl core::error::Error for UnknownId {}

/// Error: the text is not a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InvalidSelection {
    /// The text has neither the form `source:event` nor `raw:number`.
    Form,
    /// No source has this name.
    Source,
    /// The source, or a PMU without sources, has no event of this name.
    Event,
    /// The text after `raw:` is not a number, or the number is too wide for an event id.
    Number,
}

impl fmt::Display for InvalidSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => {
                "a selection is written as source:event, or as raw:0x followed by an event id"
            }
            Self::Source => "no source has that name",
            Self::Event => "no event has that name, or the event does not exist at that source",
            Self::Number => {
                "the event id is too large, or is not 0x followed by hexadecimal digits"
            }
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
    fn optional_ids_take_one_word() {
        for id in 0..=u16::MAX {
            assert_eq!(EventId::new(id).get(), id);
        }
        assert!(EventId::new(7) < EventId::new(8) && EventId::new(7) == EventId::new(7));
        assert_eq!(format!("{:?}", EventId::new(0x1F)), "EventId(0x1f)");
        assert_eq!(size_of::<Option<EventId>>(), 4);
        assert_eq!(size_of::<EventOrCycles<EventId>>(), 4);
    }
}
