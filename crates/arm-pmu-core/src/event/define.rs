//! Defines the selections of an IP, for generated code.

/// Defines the `Selection` of an IP whose events have no sources: an event id.
///
/// This macro implements no conversions from events: if a user passes an event of another PMU, the error of the
/// compiler lists every conversion.
#[doc(hidden)]
#[macro_export]
macro_rules! event_selection {
    (
        $Event:ident, $pmu:literal;
        id of $bits:literal bits, as $Code:ty, 0 to $highest:literal;
        example $example:literal
        $(; threshold $Threshold:ty)?
    ) => {
        /// The selection of one counter: an event.
        ///
        #[doc = concat!("Its number is the event id, which is the code of the event. Its text is `", $example, "`.")]
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

            /// Returns the selection with this event id. Returns `None` if the manual lists no such
            /// event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match $Event::from_code(id) {
                    Some(event) => Some(Self::event(event)),
                    None => None,
                }
            }

            /// Returns the code of the event, which is the event id, even if the manual does not list the event.
            #[doc = concat!("The highest code is ", $highest, ".")]
            #[inline]
            #[must_use]
            pub const fn code(self) -> $Code {
                self.id() as $Code
            }

            /// Returns the event. Returns `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<$Event> {
                $Event::from_code(self.id())
            }
        }

        $(
            impl $Event {
                /// Returns a selection that counts this event only in cycles that meet a condition.
                #[inline]
                #[must_use]
                pub const fn when(self, condition: $Threshold) -> Selection {
                    Selection::event(self).when(condition)
                }
            }

            impl Selection {
                /// Returns a selection that counts the same event only in cycles that meet a condition.
                #[inline]
                #[must_use]
                pub const fn when(self, condition: $Threshold) -> Self {
                    Self(self.0.with_options(condition.options()))
                }

                /// Returns the condition, if there is one.
                #[must_use]
                pub const fn threshold(self) -> Option<$Threshold> {
                    <$Threshold>::from_options(self.0.options())
                }
            }
        )?

        impl $crate::event::Selectable for $Event {
            const PMU: &'static str = $pmu;

            fn event_id(self) -> u16 {
                self.code()
            }
        }

        impl ::core::fmt::Display for Selection {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.listed() {
                    Some(event) => event.fmt(f)?,
                    None => write!(f, "raw:{:#0width$x}", self.id(), width = if $bits > 4 { 4 } else { 3 })?,
                }
                $(
                    let condition: Option<$Threshold> = self.threshold();
                    if let Some(condition) = condition {
                        write!(f, "{condition}")?;
                    }
                )?
                Ok(())
            }
        }

        /// Parses an event or `raw:0x..`, in upper or lower case.
        impl ::core::str::FromStr for Selection {
            type Err = $crate::event::InvalidSelection;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::event::InvalidSelection;

                $(
                    if let Some((event, condition)) = <$Threshold>::split(text) {
                        return Ok(event.parse::<Self>()?.when(condition));
                    }
                )?
                let Some((form, id)) = text.split_once(':') else {
                    let event: $Event = text.parse().map_err(|_| InvalidSelection::Event)?;
                    return Ok(Self::event(event));
                };
                if !form.eq_ignore_ascii_case("raw") {
                    return Err(InvalidSelection::Source);
                }
                Self::parse_raw(id)
            }
        }

        $crate::selection_conversions! { $pmu, $bits $(, $Threshold)? }
    };
}

/// Implements the methods and conversions that all selections share. An id has `$bits` bits.
#[doc(hidden)]
#[macro_export]
macro_rules! selection_conversions {
    ($pmu:literal, $bits:literal $(, $Threshold:ty)?) => {
        impl Selection {
            /// Returns the selection with this event id, even if the manual does not list the id. Returns `None` if
            /// the id is too wide.
            ///
            #[doc = concat!("An id has ", $bits, " bits. An id that the manual does not list prints as `raw:0x..`.")]
            #[must_use]
            pub const fn raw(id: u16) -> Option<Self> {
                if id as u32 >> $bits == 0 { Some(Self($crate::event::EventId::new(id))) } else { None }
            }

            /// Returns the event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self.0.get()
            }

            /// Parses the id after `raw:`, in upper or lower case.
            fn parse_raw(id: &str) -> Result<Self, $crate::event::InvalidSelection> {
                let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X"));
                let digits = digits.filter(|digits| !digits.starts_with('+'));
                let id = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
                id.and_then(Self::raw).ok_or($crate::event::InvalidSelection::Number)
            }
        }

        impl $crate::event::Selectable for Selection {
            const PMU: &'static str = $pmu;

            fn event_id(self) -> u16 {
                self.id()
            }

            #[inline(always)]
            fn options(self) -> u16 {
                self.0.options()
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

        $crate::selection_formats!(Selection $(, $Threshold)?);
    };
}

/// Defines the sources of a group of events.
#[doc(hidden)]
#[macro_export]
macro_rules! event_sources {
    (
        $(#[doc = $doc:literal])*
        pub enum $Source:ident: $Event:ident << $code_low:literal, id << $low:literal;
        $all:literal $count:literal $(, evntbus $( $Known:ident $bit:expr ),* )?;
        $( $(#[doc = $of_source:literal])* $Name:ident = $id:literal; )*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Source { $( $(#[doc = $of_source])* $Name = $id, )* }

        impl $Source {
            #[doc = $all]
            pub const ALL: [Self; $count] = [$(Self::$Name),*];

            /// Returns the number of the source in an event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self as u16
            }

            /// Returns the source with this number. Returns `None` if there is no source with this
            /// number.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match id {
                    $( $id => Some(Self::$Name), )*
                    _ => None,
                }
            }

            /// Returns the name in the manual.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Name => stringify!($Name), )*
                }
            }

            $(
                /// Returns the first bit of EVNTBUS for the events of this source.
                ///
                /// Returns `None` if the bit depends on the configuration of the part.
                #[must_use]
                pub const fn evntbus(self) -> Option<u16> {
                    match self {
                        $( Self::$Known => $bit, )*
                    }
                }
            )?

            /// Returns the selection of an event of this source.
            #[inline]
            #[must_use]
            pub const fn event(self, event: $Event) -> Selection {
                Selection($crate::event::EventId::new(self.id() << $low | event.code() << $code_low))
            }
        }

        impl ::core::fmt::Display for $Source {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

/// Defines the `Selection` of a PMU whose events have sources.
#[doc(hidden)]
#[macro_export]
macro_rules! source_selection {
    (
        $pmu:literal;
        id of $bits:literal bits;
        code >> $code_low:literal & $code_mask:literal as $Code:ident, 0 to $highest_code:literal;
        source >> $low:literal & $mask:literal as $Id:ident, 0 to $highest_id:literal;
        example $source:literal $event:literal;
        $( $evntbus:ident; )?
        $( $title:literal $Group:ident($Source:ident, $Event:ident) $(by $Only:ident)?; )*
    ) => {
        /// All sources.
        ///
        /// [Example](crate#how-to)
        pub mod sources {
            $( pub use super::$Source::*; )*
        }

        /// The selection of one counter: an event at a source.
        ///
        /// The `event` method of a source returns this type. The number of a selection is its event
        /// id. The text of a selection has the form
        #[doc = concat!("`", $source, ":", $event, "`.")]
        ///
        /// [Example](crate#how-to)
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Selection($crate::event::EventId);

        /// A listed event with its source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Listed {
            $(
                #[doc = concat!("An event of a ", $title, ".")]
                $Group($Source, $Event),
            )*
        }

        impl Selection {
            /// Returns the selection with this event id. Returns `None` if the manual lists no such
            /// event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match Self::raw(id) {
                    Some(selection) if selection.listed().is_some() => Some(selection),
                    _ => None,
                }
            }

            /// Returns the selection with this source number and event code, as in the registers.
            ///
            #[doc = concat!(
                "The inverse of [`source_id`](Self::source_id) and [`code`](Self::code). For `", $source, ":", $event,
                "`, pass the number of `", $source, "` and the code of `", $event,
                "`. For an event that the manual does not list, see [`raw`](Self::raw).",
            )]
            ///
            /// # Errors
            ///
            /// Returns an error if the manual does not list the source or its event.
            pub const fn from_source_and_code(source: u16, code: u16) -> Result<Self, $crate::event::UnknownEvent> {
                $(
                    if let Some(known) = $Source::from_id(source) {
                        return match $Event::from_code(code) {
                            Some(event) => Ok(known.event(event)),
                            None => Err($crate::event::UnknownEvent::Code { source, code }),
                        };
                    }
                )*
                Err($crate::event::UnknownEvent::Source(source))
            }

            #[doc = concat!(
                "Returns the code of the event, 0 to ", $highest_code,
                ", even if the manual does not list it.",
            )]
            #[inline]
            #[must_use]
            pub const fn code(self) -> $Code {
                (self.id() >> $code_low & $code_mask) as $Code
            }

            #[doc = concat!(
                "Returns the number of the source, 0 to ", $highest_id,
                ", even if the manual does not list it.",
            )]
            #[inline]
            #[must_use]
            pub const fn source_id(self) -> $Id {
                (self.id() >> $low & $mask) as $Id
            }

            $crate::source_selection!(@$($evntbus)? $($Group)*);

            /// Returns the event and its source. Returns `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<Listed> {
                $(
                    if let Some(source) = $Source::from_id(self.id() >> $low & $mask) {
                        return match $Event::from_code(self.id() >> $code_low & $code_mask) {
                            Some(event) => Some(Listed::$Group(source, event)),
                            None => None,
                        };
                    }
                )*
                None
            }
        }

        impl ::core::fmt::Display for Selection {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.listed() {
                    $( Some(Listed::$Group(source, event)) => write!(f, "{source}:{event}"), )*
                    None => write!(f, "raw:{:#0width$x}", self.id(), width = u32::div_ceil($bits, 4) as usize + 2),
                }
            }
        }

        /// Parses `source:event` or `raw:0x..`, in upper or lower case.
        impl ::core::str::FromStr for Selection {
            type Err = $crate::event::InvalidSelection;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                use $crate::event::InvalidSelection;

                let (source, event) = text.split_once(':').ok_or(InvalidSelection::Form)?;
                if source.eq_ignore_ascii_case("raw") {
                    return Self::parse_raw(event);
                }
                $(
                    let mut known = $Source::ALL.into_iter();
                    if let Some(source) = known.find(|known| known.name().eq_ignore_ascii_case(source)) {
                        let event: $Event = event.parse().map_err(|_| InvalidSelection::Event)?;
                        return Ok(source.event(event));
                    }
                )*
                Err(InvalidSelection::Source)
            }
        }

        $crate::selection_conversions! { $pmu, $bits }

        $( $(
            impl From<$Event> for Selection {
                #[inline]
                fn from(event: $Event) -> Self {
                    $Source::$Only.event(event)
                }
            }

            impl $crate::event::Selectable for $Event {
                const PMU: &'static str = Selection::PMU;

                fn event_id(self) -> u16 {
                    Selection::from(self).id()
                }
            }
        )? )*
    };
    (@evntbus $($Group:ident)*) => {
        /// Returns the bit of EVNTBUS that the event drives.
        ///
        /// Returns `None` if the manual lists no such event, or if the bit depends on the configuration
        /// of the part.
        #[must_use]
        pub fn evntbus(self) -> Option<u16> {
            use $crate::event::Event as _;

            match self.listed()? {
                $( Listed::$Group(source, event) => Some(source.evntbus()? + event.evntbus()?), )*
            }
        }
    };
    (@ $($Group:ident)*) => {};
}
