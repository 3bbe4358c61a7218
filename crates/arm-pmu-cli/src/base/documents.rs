//! Declaration of documents for other programs.

/// Declares types of documents, with what they derive. Their schemas are only needed by tests.
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
