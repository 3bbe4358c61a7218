//! Defines the items of an enum of events, for the derive.

use core::fmt;

use super::event::{Event, UnknownName};

/// Defines the items of an enum of events. With `@methods`, defines the methods of `Event`, which call these items.
///
/// Names are absolute, because the module around the enum can redefine short names.
///
/// If a constant, static or unit struct has the name of a variable in a pattern, the pattern refers to that item and
/// does not bind the variable. A pattern never refers to a function. Therefore the block declares functions with the
/// names of these variables: the functions hide constants, statics and unit structs of these names.
#[doc(hidden)]
#[macro_export]
macro_rules! event_items {
    (
        $vis:vis $Event:ident
        [$($Variant:ident $code:literal $name:literal $summary:literal)*]
    ) => {
        $crate::event_items! { @names code event f name serializer deserializer }

        #[automatically_derived]
        impl $Event {
            /// All events, in the order of the enum.
            $vis const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// The code of the event.
            #[inline]
            #[must_use]
            $vis const fn code(self) -> ::core::primitive::u16 {
                self as ::core::primitive::u16
            }

            /// The event with this code, if there is one.
            #[inline]
            #[must_use]
            $vis const fn from_code(
                code: ::core::primitive::u16,
            ) -> ::core::option::Option<Self> {
                match code {
                    $($code => ::core::option::Option::Some(Self::$Variant),)*
                    _ => ::core::option::Option::None,
                }
            }

            /// The name of the event, in capitals.
            #[must_use]
            $vis const fn name(self) -> &'static ::core::primitive::str {
                $crate::event_items!(@text self $($Variant $name)*)
            }

            /// Description of what increments the counter.
            #[must_use]
            $vis const fn summary(self) -> &'static ::core::primitive::str {
                $crate::event_items!(@text self $($Variant $summary)*)
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for $Event {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::event::print(self, f)
            }
        }

        #[automatically_derived]
        impl ::core::str::FromStr for $Event {
            type Err = $crate::event::UnknownName;

            fn from_str(
                name: &::core::primitive::str,
            ) -> ::core::result::Result<Self, $crate::event::UnknownName> {
                $crate::event::parse(name)
            }
        }

        #[automatically_derived]
        impl ::core::convert::TryFrom<::core::primitive::u16> for $Event {
            type Error = $crate::event::UnknownCode;

            #[inline]
            fn try_from(
                code: ::core::primitive::u16,
            ) -> ::core::result::Result<Self, $crate::event::UnknownCode> {
                Self::from_code(code).ok_or($crate::event::UnknownCode(code))
            }
        }

        #[automatically_derived]
        impl ::core::convert::From<$Event> for ::core::primitive::u16 {
            #[inline]
            fn from(event: $Event) -> Self {
                $Event::code(event)
            }
        }

        $crate::serde_formats!($Event, $crate::formats::EventFormat);
        $crate::defmt_formats!($Event, $crate::formats::format);
    };
    (@methods) => {
        const ALL: &'static [Self] = Self::ALL;

        #[inline]
        fn code(self) -> ::core::primitive::u16 {
            Self::code(self)
        }

        #[inline]
        fn from_code(code: ::core::primitive::u16) -> ::core::option::Option<Self> {
            Self::from_code(code)
        }

        #[inline]
        fn name(self) -> &'static ::core::primitive::str {
            Self::name(self)
        }

        #[inline]
        fn summary(self) -> &'static ::core::primitive::str {
            Self::summary(self)
        }
    };
    (@names $($name:ident)*) => {
        $(
            #[allow(dead_code)]
            fn $name() {}
        )*
    };
    // If the user's enum contains a mistake, the derive calls this macro without events.
    (@text $self:ident) => { "" };
    (@text $self:ident $($Variant:ident $text:literal)+) => {
        match $self { $(Self::$Variant => $text,)+ }
    };
}

/// Prints the name. Takes a reference, so that derived code does not move the event.
#[doc(hidden)]
pub fn print<E: Event>(event: &E, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(event.name())
}

/// Parses the name, in upper or lower case.
#[doc(hidden)]
pub fn parse<E: Event>(name: &str) -> Result<E, UnknownName> {
    let mut events = E::ALL.iter().copied();
    events.find(|event| event.name().eq_ignore_ascii_case(name)).ok_or(UnknownName::new())
}
