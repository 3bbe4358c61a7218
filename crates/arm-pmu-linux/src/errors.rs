//! Declares the types of errors.

/// Declares an error with the message of each variant.
macro_rules! errors {
    (
        $(#[$attribute:meta])*
        $Error:ident { $(
            $(#[$doc:meta])*
            $Variant:ident $({ $($(#[$of:meta])* $field:ident: $Type:ty,)* })? => $message:expr,
        )* }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Error { $(
            $(#[$doc])*
            $Variant $({ $($(#[$of])* $field: $Type,)* })?,
        )* }

        impl std::fmt::Display for $Error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $( Self::$Variant $({ $($field,)* })? => f.write_str(&$message), )* }
            }
        }

        impl std::error::Error for $Error {}
    };
}

pub(crate) use errors;
