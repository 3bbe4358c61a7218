//! Implementations of `serde` and `defmt` traits for events, selections and findings.
//!
//! Derived and generated code calls these macros. Only this crate has `cfg`s for the features `serde` and
//! `defmt`; the calling crates need neither a `cfg` nor a dependency for them.

/// Implements serialization and logging for a `Selection`. Generated code calls this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! selection_formats {
    ($Selection:ident $(, $Threshold:ty)?) => {
        $crate::serde_formats!($Selection, $crate::formats::SelectionFormat);
        $crate::defmt_formats!($Selection, $crate::formats::format);

        impl $crate::formats::FromNumber for $Selection {
            fn from_number(number: ::core::primitive::u32) -> ::core::option::Option<Self> {
                let selection = $Selection::raw(number as ::core::primitive::u16)?;
                let options = (number >> 16) as ::core::primitive::u16;
                $(
                    if let Some(condition) = <$Threshold>::from_options(options) {
                        return Some(selection.when(condition));
                    }
                )?
                if options == 0 { Some(selection) } else { None }
            }
        }
    };
}

/// Implements serialization and logging for a `Finding`. Generated code calls this macro.
#[doc(hidden)]
#[macro_export]
macro_rules! finding_formats {
    ($Finding:ident) => {
        $crate::serde_formats!($Finding, $crate::formats::FindingFormat);
        $crate::defmt_formats!($Finding, $crate::formats::format_finding);
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "serde"))]
macro_rules! serde_formats {
    ($Type:ident, $Format:ty) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(feature = "serde")]
macro_rules! serde_formats {
    ($Type:ident, $Format:ty) => {
        #[automatically_derived]
        impl $crate::formats::serde::Serialize for $Type {
            fn serialize<S: $crate::formats::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                <$Format>::serialize(*self, serializer)
            }
        }

        #[automatically_derived]
        impl<'de> $crate::formats::serde::Deserialize<'de> for $Type {
            fn deserialize<D: $crate::formats::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                <$Format>::deserialize(deserializer)
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "defmt"))]
macro_rules! defmt_formats {
    ($Type:ident, $format:path) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(feature = "defmt")]
macro_rules! defmt_formats {
    ($Type:ident, $format:path) => {
        #[automatically_derived]
        impl $crate::formats::defmt::Format for $Type {
            fn format(&self, f: $crate::formats::defmt::Formatter<'_>) {
                $format(self, f);
            }
        }
    };
}

#[cfg(feature = "defmt")]
#[doc(hidden)]
pub use defmt;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

/// A selection that can be created from any event id, listed or not, with the options in the upper 16 bits.
#[doc(hidden)]
pub trait FromNumber: Sized {
    /// Returns the selection; `None` if the number is too large.
    fn from_number(number: u32) -> Option<Self>;
}

/// Logs the name.
#[cfg(feature = "defmt")]
#[doc(hidden)]
pub fn format(what: &impl core::fmt::Display, f: defmt::Formatter<'_>) {
    defmt::write!(f, "{}", defmt::Display2Format(what));
}

/// Logs the name of a finding, because the cause is long.
#[cfg(feature = "defmt")]
#[doc(hidden)]
pub fn format_finding(finding: &impl crate::diagnose::Finding, f: defmt::Formatter<'_>) {
    defmt::write!(f, "{=str}", finding.name());
}

#[cfg(feature = "serde")]
pub use by_name::{EventFormat, FindingFormat, SelectionFormat};

/// Serializes by name in human-readable formats, and by number in other formats.
///
/// Numbers are shorter. A finding has no number, so it is always serialized by name.
#[cfg(feature = "serde")]
mod by_name {
    use core::fmt::{self, Display, LowerHex};
    use core::marker::PhantomData;
    use core::str::FromStr;

    use serde::de::{Error, Visitor};
    use serde::{Deserialize, Deserializer, Serializer};

    use super::FromNumber;
    use crate::diagnose::Finding;
    use crate::event::{Event, Selectable};

    #[doc(hidden)]
    #[derive(Debug)]
    pub struct EventFormat;

    impl EventFormat {
        #[doc(hidden)]
        pub fn serialize<S: Serializer>(
            event: impl Event,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match serializer.is_human_readable() {
                true => serializer.serialize_str(event.name()),
                false => serializer.serialize_u16(event.code()),
            }
        }

        #[doc(hidden)]
        pub fn deserialize<'de, E: Event, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<E, D::Error> {
            from_either(deserializer, E::from_code)
        }
    }

    #[doc(hidden)]
    #[derive(Debug)]
    pub struct SelectionFormat;

    impl SelectionFormat {
        #[doc(hidden)]
        pub fn serialize<T: Display + Selectable, S: Serializer>(
            selection: T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            if serializer.is_human_readable() {
                return serializer.collect_str(&selection);
            }
            let options = u32::from(selection.options());
            serializer.serialize_u32(options << 16 | u32::from(selection.event_id()))
        }

        #[doc(hidden)]
        pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
        where
            T: FromStr<Err: Display> + FromNumber,
            D: Deserializer<'de>,
        {
            from_either(deserializer, T::from_number)
        }
    }

    fn from_either<'de, T, N, D>(
        deserializer: D,
        from_number: fn(N) -> Option<T>,
    ) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        N: Deserialize<'de> + Copy + LowerHex,
        D: Deserializer<'de>,
    {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Name(PhantomData));
        }
        let number = N::deserialize(deserializer)?;
        from_number(number)
            .ok_or_else(|| Error::custom(format_args!("{number:#x} is not the number of an event")))
    }

    #[doc(hidden)]
    #[derive(Debug)]
    pub struct FindingFormat;

    impl FindingFormat {
        #[doc(hidden)]
        pub fn serialize<S: Serializer>(
            finding: impl Finding,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(finding.name())
        }

        #[doc(hidden)]
        pub fn deserialize<'de, F: Finding, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<F, D::Error> {
            deserializer.deserialize_str(FindingName(PhantomData))
        }
    }

    struct FindingName<F>(PhantomData<F>);

    impl<F: Finding> Visitor<'_> for FindingName<F> {
        type Value = F;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the name of a finding")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<F, E> {
            let found = F::ALL.iter().find(|finding| finding.name() == name);
            found.copied().ok_or_else(|| Error::custom("no finding of this PMU has that name"))
        }
    }

    struct Name<T>(PhantomData<T>);

    impl<T: FromStr<Err: Display>> Visitor<'_> for Name<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the name of an event")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
            name.parse().map_err(E::custom)
        }
    }
}
