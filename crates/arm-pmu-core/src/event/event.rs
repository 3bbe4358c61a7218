//! What a counter can count.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;
use core::str::FromStr;

/// An event: one thing that a counter can count, among the events of its group.
///
/// Derive it on an enum without fields, with `#[derive(Event)]`; the numbers written out in the enum
/// are the [codes](Self::code). The derive brings along `Display`, `FromStr`, `From` and `TryFrom`,
/// and gives `ALL`, `code`, `from_code`, `name` and `summary` as items of the enum too: those are
/// `const` and need no import.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of PMU events",
    note = "derive it: `#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]` on an enum whose numbers are written out"
)]
pub trait Event:
    Copy
    + Debug
    + Display
    + Eq
    + Hash
    + FromStr<Err = UnknownName>
    + TryFrom<u16, Error = UnknownCode>
    + Into<u16>
    + 'static
{
    /// All events of the group, in the order of the enum.
    const ALL: &'static [Self];

    /// The number of the event inside its group.
    fn code(self) -> u16;

    /// The event with this number. `None` if the manual lists no such event (reserved codes).
    fn from_code(code: u16) -> Option<Self>;

    /// The name, in capitals, as [`Display`] and `FromStr` use it: `READ_REQUEST_ANY`.
    fn name(self) -> &'static str;

    /// What adds one to the counter, in a sentence or two.
    fn summary(self) -> &'static str;

    /// What one count stands for.
    fn unit(self) -> Unit {
        Unit::Occurrences
    }

    /// The bit that the event drives on EVNTBUS, counted from the first bit of its source.
    /// `None` if it drives none.
    fn evntbus(self) -> Option<u16> {
        None
    }

    /// Counted whatever the security state, because the event carries none.
    fn secure_exempt(self) -> bool {
        false
    }

    /// Happens on ACE interfaces only, never on ACE-Lite.
    fn ace_only(self) -> bool {
        false
    }

    /// Has a number, but the product never signals it.
    fn never_fires(self) -> bool {
        false
    }

    /// Obeys a StreamID filter; other events are counted for every stream.
    fn filterable(self) -> bool {
        false
    }

    /// Counted only while Secure observation is on.
    fn secure_only(self) -> bool {
        false
    }

    /// Defined by the architecture, with the same number in every implementation.
    fn architectural(self) -> bool {
        false
    }
}

/// What one count of an [`Event`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Unit {
    /// Something happened once.
    Occurrences,
    /// One clock cycle during which a condition held.
    Cycles,
    /// One transfer of data on a bus; its width is a property of the system.
    Beats,
}

impl Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Occurrences => "occurrences",
            Self::Cycles => "cycles",
            Self::Beats => "beats",
        })
    }
}

/// The manual lists no event with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownCode(
    /// The code that was asked for.
    pub u16,
);

impl Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no event has the code {:#04x}", self.0)
    }
}

impl core::error::Error for UnknownCode {}

/// No event of the group has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownName;

impl UnknownName {
    /// For implementations of `FromStr`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "an error that nobody needs by default")]
    pub const fn new() -> Self {
        Self
    }
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no event of this group has that name")
    }
}

impl core::error::Error for UnknownName {}
