//! Declares the types of JSON documents.

/// Declares document types with the given derives. Tests also derive a JSON Schema.
///
/// A type with arguments has a constructor `new`, which computes each field from the arguments.
macro_rules! documents {
    (@one $derived:tt [$($attributes:tt)*] $Name:ident [] {
        $($(#[$of:meta])* $field:ident: $Type:ty,)*
    }) => {
        #[derive $derived]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[cfg_attr(test, schemars(deny_unknown_fields))]
        $($attributes)*
        pub struct $Name { $($(#[$of])* pub $field: $Type,)* }
    };
    (@one $derived:tt $attributes:tt $Name:ident [$($argument:ident: $Argument:ty),*] {
        $($(#[$of:meta])* $field:ident: $Type:ty = $value:expr,)*
    }) => {
        $crate::base::documents::documents! {
            @one $derived $attributes $Name [] { $($(#[$of])* $field: $Type,)* }
        }

        impl $Name {
            pub fn new($($argument: $Argument),*) -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
    (derive $derived:tt $($(#[$attribute:meta])* $Name:ident $(($($argument:tt)*))? { $($body:tt)* })*) => { $(
        $crate::base::documents::documents! {
            @one $derived [$(#[$attribute])*] $Name [$($($argument)*)?] { $($body)* }
        }
    )* };
}

/// Declares an enumeration and the word that stands for each variant in reports and in JSON.
macro_rules! words {
    ($(#[$of:meta])* $Name:ident { $($(#[$doc:meta])* $Variant:ident = $word:literal,)* }) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $Name { $($(#[$doc])* #[serde(rename = $word)] $Variant,)* }

        #[allow(dead_code, reason = "not every enumeration needs both")]
        impl $Name {
            pub const ALL: &[Self] = &[$(Self::$Variant,)*];

            pub fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word,)* }
            }
        }
    };
}

pub(crate) use {documents, words};
