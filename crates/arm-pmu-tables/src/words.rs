//! Enums whose values are words of the spec language.

/// Declares an enum of words, with `Display` and `serde`.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $Name:ident {
            $( $(#[$of_variant:meta])* $word:literal => $Variant:ident, )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $Name { $( $(#[$of_variant])* $Variant, )* }

        impl $Name {
            /// All values, in order.
            pub const ALL: &'static [Self] = &[$( Self::$Variant ),*];

            /// Word in the spec language and in serialized tables.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $( Self::$Variant => $word, )* }
            }
        }

        impl core::fmt::Display for $Name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.word())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $Name {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let words: alloc::vec::Vec<_> = Self::ALL.iter().map(|one| one.word()).collect();
                schemars::json_schema!({ "type": "string", "enum": words })
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}

pub(crate) use words;
