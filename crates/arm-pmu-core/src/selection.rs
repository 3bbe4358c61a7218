//! What goes wrong when a selection is made from a number or from text.
//!
//! Each IP has a `Selection` of its own; their errors are the same.

use core::fmt;

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
