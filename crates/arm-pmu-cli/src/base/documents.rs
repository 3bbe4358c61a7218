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

pub(crate) use documents;
