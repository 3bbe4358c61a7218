//! Events and selections in other formats, where the features `serde` and `defmt` are on.
//!
//! Which they are is known here alone: what the derive and the generator make calls these macros, and
//! needs neither a `cfg` nor a dependency of its own.

/// Lets an event be serialized and logged, as far as the features are on. For the derive.
#[doc(hidden)]
#[macro_export]
macro_rules! event_formats {
    ($Event:ident) => {
        $crate::serde_formats!($Event, $crate::formats::EventFormat);
        $crate::defmt_formats!($Event);
    };
}

/// As [`event_formats`](crate::event_formats), for a `Selection`. For generated code.
#[doc(hidden)]
#[macro_export]
macro_rules! selection_formats {
    ($Selection:ident) => {
        $crate::serde_formats!($Selection, $crate::formats::SelectionFormat);
        $crate::defmt_formats!($Selection);

        impl $crate::formats::FromNumber for $Selection {
            fn from_number(number: ::core::primitive::u16) -> ::core::option::Option<Self> {
                $Selection::raw(number)
            }
        }
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
    ($Type:ident) => {};
}

#[doc(hidden)]
#[macro_export]
#[cfg(feature = "defmt")]
macro_rules! defmt_formats {
    ($Type:ident) => {
        #[automatically_derived]
        impl $crate::formats::defmt::Format for $Type {
            fn format(&self, f: $crate::formats::defmt::Formatter<'_>) {
                $crate::formats::format(self, f);
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

/// A selection from its number, listed or not.
#[doc(hidden)]
pub trait FromNumber: Sized {
    /// `None` if the number is too wide.
    fn from_number(number: u16) -> Option<Self>;
}

/// As text: the name.
#[cfg(feature = "defmt")]
#[doc(hidden)]
pub fn format(what: &impl core::fmt::Display, f: defmt::Formatter<'_>) {
    defmt::write!(f, "{}", defmt::Display2Format(what));
}

#[cfg(feature = "serde")]
pub use by_name::{EventFormat, SelectionFormat};

/// By name where people may read it, and by number elsewhere: a number is shorter, and names take room.
#[cfg(feature = "serde")]
mod by_name {
    use core::fmt::{self, Display};
    use core::marker::PhantomData;
    use core::str::FromStr;

    use serde::de::{Error, Visitor};
    use serde::{Deserialize, Deserializer, Serializer};

    use super::FromNumber;
    use crate::Event;

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
        pub fn serialize<T: Display + Into<u16>, S: Serializer>(
            selection: T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match serializer.is_human_readable() {
                true => serializer.collect_str(&selection),
                false => serializer.serialize_u16(selection.into()),
            }
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

    fn from_either<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
        from_number: fn(u16) -> Option<T>,
    ) -> Result<T, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Name(PhantomData));
        }
        let number = u16::deserialize(deserializer)?;
        from_number(number)
            .ok_or_else(|| Error::custom(format_args!("{number:#x} is not the number of an event")))
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

/// Arrays of any length, which serde has only up to 32: as tuples.
#[cfg(feature = "serde")]
pub(crate) mod arrays {
    use core::fmt;
    use core::marker::PhantomData;

    use serde::de::{Error, SeqAccess, Visitor};
    use serde::ser::SerializeTuple;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(
        items: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(N)?;
        items.iter().try_for_each(|item| tuple.serialize_element(item))?;
        tuple.end()
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[T; N], D::Error> {
        deserializer.deserialize_tuple(N, Items(PhantomData))
    }

    struct Items<T, const N: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
        type Value = [T; N];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an array of {N}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<[T; N], A::Error> {
            let mut items = [const { None }; N];
            for (nth, item) in items.iter_mut().enumerate() {
                let next = sequence.next_element()?;
                *item = Some(next.ok_or_else(|| Error::invalid_length(nth, &self))?);
            }
            Ok(items.map(|item: Option<T>| match item {
                Some(item) => item,
                None => unreachable!("each was set"),
            }))
        }
    }
}
