//! Macro for the types of the tables.

/// Declares a table type, with a constructor and a setter for each optional key.
///
/// The spec language has the same kinds of keys: the `required` keys are the arguments of `new`, in this order;
/// `optional`, `list`, `text` and `flag` are absent, empty or false by default. A `fixed` key has a hand-written
/// setter.
macro_rules! table {
    (
        $(#[$attribute:meta])*
        $vis:vis $Name:ident {
            $( $(#[$of_key:meta])* $kind:ident $key:ident : $Type:ty $(= $value:expr)?, )*
        }
    ) => {
        $(#[$attribute])*
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
        #[non_exhaustive]
        pub struct $Name { $( $(#[$of_key])* pub $key: $crate::table::table!(@type $kind $Type), )* }

        $crate::table::table! { @new [$vis] $Name [] [] $( $kind $key : $Type $(= $value)?, )* }

        #[allow(dead_code, reason = "not every spec has every key")]
        impl $Name {
            $( $crate::table::table! { @setter [$vis] $kind $key $Type } )*
        }
    };
    (@type optional $Type:ty) => { Option<$Type> };
    (@type list $Type:ty) => { &'static [$Type] };
    (@type $kind:ident $Type:ty) => { $Type };
    (@default optional) => { None };
    (@default list) => { &[] };
    (@default text) => { "" };
    (@default flag) => { false };
    (@default fixed $value:expr) => { $value };

    // The constructor, with its arguments and the values of all keys.
    (@new $vis:tt $Name:ident [$($arguments:tt)*] [$($values:tt)*] required $key:ident : $Type:ty, $($rest:tt)*) => {
        $crate::table::table! { @new $vis $Name [$($arguments)* $key: $Type,] [$($values)* $key,] $($rest)* }
    };
    (@new $vis:tt $Name:ident $arguments:tt [$($values:tt)*] $kind:ident $key:ident : $Type:ty $(= $value:expr)?, $($rest:tt)*) => {
        $crate::table::table! {
            @new $vis $Name $arguments [$($values)* $key: $crate::table::table!(@default $kind $($value)?),] $($rest)*
        }
    };
    (@new [$vis:vis] $Name:ident [$($arguments:tt)*] [$($values:tt)*]) => {
        impl $Name {
            /// Creates an entry with the required keys.
            #[must_use]
            $vis const fn new($($arguments)*) -> Self {
                Self { $($values)* }
            }
        }
    };

    (@setter [$vis:vis] optional $key:ident $Type:ty) => {
        #[doc = concat!("The same, with `", stringify!($key), "`.")]
        #[must_use]
        $vis const fn $key(self, $key: $Type) -> Self {
            Self { $key: Some($key), ..self }
        }
    };
    (@setter $vis:tt list $key:ident $Type:ty) => {
        $crate::table::table! { @setter $vis text $key &'static [$Type] }
    };
    (@setter [$vis:vis] text $key:ident $Type:ty) => {
        #[doc = concat!("The same, with `", stringify!($key), "`.")]
        #[must_use]
        $vis const fn $key(self, $key: $Type) -> Self {
            Self { $key, ..self }
        }
    };
    (@setter [$vis:vis] flag $key:ident $Type:ty) => {
        #[doc = concat!("The same, with `", stringify!($key), "` set.")]
        #[must_use]
        $vis const fn $key(self) -> Self {
            Self { $key: true, ..self }
        }
    };
    (@setter [$vis:vis] required origin $Type:ty) => {
        /// Sets the origin.
        #[must_use]
        $vis const fn by(self, origin: $Type) -> Self {
            Self { origin, ..self }
        }
    };
    (@setter [$vis:vis] $kind:ident $key:ident $Type:ty) => {};
}

pub(crate) use table;
