//! Declares the types of JSON documents.

/// Declares document types with the given derives. Tests also derive a JSON Schema.
macro_rules! documents {
    (
        derive $derived:tt
        $($(#[$attribute:meta])* $Name:ident { $($(#[$of:meta])* $field:ident: $Type:ty,)* })*
    ) => { $(
        $(#[$attribute])*
        #[derive $derived]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[cfg_attr(test, schemars(deny_unknown_fields))]
        pub struct $Name { $($(#[$of])* pub $field: $Type,)* }
    )* };
}

pub(crate) use documents;
