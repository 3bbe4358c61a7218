//! The trait of all event enums.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;
use core::str::FromStr;

/// An event that a counter can count. A type with this trait is one group of events.
///
/// Derive this trait with `#[derive(Event)]` on an enum without fields. The discriminants written in the enum are the
/// [codes](Self::code). The derive also implements `Display`, `FromStr`, `From` and `TryFrom`. The derive also adds
/// `ALL`, `code`, `from_code`, `name` and `summary` to the enum itself; these items can be used in constants, and
/// without importing the trait.
///
/// ```
/// use arm_pmu_core::event::Event;
///
/// /// Prints the code, the name and the summary of each event of a group.
/// fn list<E: Event>() {
///     for event in E::ALL {
///         println!("{:#04x} {event} {}", event.code(), event.summary());
///     }
/// }
/// ```
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
    /// All events of the group in the order of the enum.
    const ALL: &'static [Self];

    /// Returns the code of the event in its group.
    fn code(self) -> u16;

    /// Returns the event with this code; `None` for a reserved code.
    fn from_code(code: u16) -> Option<Self>;

    /// Returns the name in capitals, for example `READ_REQUEST_ANY`.
    ///
    /// [`Display`] prints the name. `FromStr` accepts the name in upper or lower case.
    fn name(self) -> &'static str;

    /// Describes in one or two sentences what increments the counter.
    fn summary(self) -> &'static str;

    /// Returns the unit of the count.
    fn unit(self) -> Unit {
        Unit::Occurrences
    }

    /// Returns the EVNTBUS bit that the event drives; `None` if there is none.
    ///
    /// Bit 0 is the first bit of the event's source.
    fn evntbus(self) -> Option<u16> {
        None
    }

    /// Returns whether the event is counted in every security state, because it has no security
    /// state.
    fn secure_exempt(self) -> bool {
        false
    }

    /// Returns whether the event happens only on ACE interfaces, never on ACE-Lite.
    fn ace_only(self) -> bool {
        false
    }

    /// Returns whether the product never signals the event, although the event has a code.
    fn never_fires(self) -> bool {
        false
    }

    /// Returns whether a StreamID filter applies to the event.
    ///
    /// An event that cannot be filtered is counted for every stream.
    fn filterable(self) -> bool {
        false
    }

    /// Returns whether the event is counted only while Secure observation is enabled.
    fn secure_only(self) -> bool {
        false
    }

    /// Returns whether the architecture defines the event, with the same code on every
    /// implementation.
    fn architectural(self) -> bool {
        false
    }
}

/// Unit of an [`Event`]'s count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Unit {
    /// Occurrences of the event.
    Occurrences,
    /// Clock cycles during which a condition held.
    Cycles,
    /// Transfers of data on a bus. The width of a beat is a property of the system.
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

/// Error: the manual lists no event with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownCode(
    /// The code.
    pub u16,
);

impl Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no event has the code {:#04x}", self.0)
    }
}

impl core::error::Error for UnknownCode {}

/// Error: no event of the group has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnknownName;

impl UnknownName {
    /// Creates the error, for implementations of `FromStr`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "an error is not useful as a default value")]
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
