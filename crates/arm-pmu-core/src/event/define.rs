//! Definition of the selections of an IP, for generated code.

/// Defines the `Selection` of an IP whose events have no sources: the id of an event.
///
/// Conversions of events into it are not made here: the compiler shows them to a user who takes an event of another PMU.
#[doc(hidden)]
#[macro_export]
macro_rules! event_selection {
    (
        $Event:ident, $pmu:literal;
        id of $bits:literal bits, as $Code:ty, 0 to $highest:literal;
        example $example:literal
    ) => {
        /// The selection of one counter: an event.
        ///
        #[doc = concat!("Its number is the event id, the code of the event; as text it is `", $example, "`.")]
        ///
        /// [Example](crate#how-to)
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Selection($crate::event::EventId);

        impl Selection {
            /// Returns the selection of an event.
            #[inline]
            #[must_use]
            pub const fn event(event: $Event) -> Self {
                Self($crate::event::EventId::new(event.code()))
            }

            /// Returns the selection with any event id, even if the manual does not list the id. `None` if
            /// the id is too wide.
            ///
            #[doc = concat!("An id has ", $bits, " bits. An id that the manual does not list prints as `raw:0x..`.")]
            #[must_use]
            pub const fn raw(id: u16) -> Option<Self> {
                if id as u32 >> $bits == 0 { Some(Self($crate::event::EventId::new(id))) } else { None }
            }

            /// Returns the selection with this event id. `None` if the manual lists no such event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match $Event::from_code(id) {
                    Some(event) => Some(Self::event(event)),
                    None => None,
                }
            }

            /// Returns the event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self.0.get()
            }

            /// Returns the code of the event, listed or not: the event id, in the type of the field that
            #[doc = concat!("selects it, 0 to ", $highest, ".")]
            #[inline]
            #[must_use]
            pub const fn code(self) -> $Code {
                self.id() as $Code
            }

            /// Returns the event. `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<$Event> {
                $Event::from_code(self.id())
            }
        }

        impl $crate::event::Selectable for $Event {
            const PMU: &'static str = $pmu;

            fn event_id(self) -> u16 {
                self.code()
            }
        }

        impl ::core::fmt::Display for Selection {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.listed() {
                    Some(event) => event.fmt(f),
                    None => write!(f, "raw:{:#0width$x}", self.id(), width = if $bits > 4 { 4 } else { 3 }),
                }
            }
        }

        /// Parses an event or `raw:0x..`, in upper or lower case.
        impl ::core::str::FromStr for Selection {
            type Err = $crate::event::InvalidSelection;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::event::InvalidSelection;

                let Some((form, id)) = text.split_once(':') else {
                    let event: $Event = text.parse().map_err(|_| InvalidSelection::Event)?;
                    return Ok(Self::event(event));
                };
                if !form.eq_ignore_ascii_case("raw") {
                    return Err(InvalidSelection::Source);
                }
                let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X"));
                let digits = digits.filter(|digits| !digits.starts_with('+'));
                let id = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
                id.and_then(Self::raw).ok_or(InvalidSelection::Number)
            }
        }

        $crate::selection_conversions! { $pmu }
    };
}

/// Implements what selections with and without sources have in common.
#[doc(hidden)]
#[macro_export]
macro_rules! selection_conversions {
    ($pmu:literal) => {
        impl $crate::event::Selectable for Selection {
            const PMU: &'static str = $pmu;

            fn event_id(self) -> u16 {
                self.id()
            }
        }

        impl ::core::fmt::Debug for Selection {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "Selection({self})")
            }
        }

        impl TryFrom<u16> for Selection {
            type Error = $crate::event::UnknownId;

            fn try_from(id: u16) -> Result<Self, Self::Error> {
                Self::from_id(id).ok_or($crate::event::UnknownId(id))
            }
        }

        impl From<Selection> for u16 {
            #[inline]
            fn from(selection: Selection) -> Self {
                selection.id()
            }
        }

        $crate::selection_formats!(Selection);
    };
}
