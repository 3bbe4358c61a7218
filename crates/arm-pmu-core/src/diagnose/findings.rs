//! Defines the findings of an IP, for generated code.

/// Defines the enum `Finding` of an IP from its table, with each text as documentation and as data.
#[doc(hidden)]
#[macro_export]
macro_rules! findings {
    (
        $(#[$about:meta])*
        pub enum $Finding:ident;
        $(
            $Variant:ident $name:literal: $by:ident $(, $ambiguous:ident)?;
            cause $cause:expr;
            read $read:expr;
            expected $expected:expr;
            fix $fix:expr;
            source $source:expr;
        )+
    ) => {
        $(#[$about])*
        ///
        /// A finding prints as its [cause](Self::cause). A program contains only the texts that it
        /// uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $Finding {
            $(
                #[doc = $cause]
                #[doc = ""]
                $(#[doc = $crate::findings!(@$ambiguous)])?
                #[doc = ""]
                #[doc = concat!("Read: ", $read, ". Expected: ", $expected, ".")]
                #[doc = ""]
                #[doc = $fix]
                #[doc = ""]
                #[doc = concat!("Source: ", $source)]
                $Variant,
            )+
        }

        impl $Finding {
            /// All findings in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];
        }

        $crate::findings! { @methods $Finding;
            /// Returns the name of the finding in capitals.
            name -> &'static str { $($Variant $name,)+ }
            /// Returns why counters read zero, in one or two sentences.
            cause -> &'static str { $($Variant $cause,)+ }
            /// Describes what the diagnosis read.
            read -> &'static str { $($Variant $read,)+ }
            /// Describes what the diagnosis reads on a device without this cause.
            expected -> &'static str { $($Variant $expected,)+ }
            /// Returns how to fix the cause.
            fix -> &'static str { $($Variant $fix,)+ }
            /// Returns the party that can fix the cause.
            fixable_by -> $crate::diagnose::FixableBy { $($Variant $crate::diagnose::FixableBy::$by,)+ }
            /// Returns the sources of the finding, with their confidence.
            source -> &'static str { $($Variant $source,)+ }
            /// Returns whether the finding has several possible causes that the hardware cannot distinguish.
            is_ambiguous -> bool { $($Variant $crate::findings!(@is $($ambiguous)?),)+ }
        }

        impl ::core::fmt::Display for $Finding {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.cause())
            }
        }

        $crate::finding_formats!($Finding);
    };
    (
        @methods $Finding:ident;
        $( $(#[$doc:meta])* $method:ident -> $Value:ty { $($Variant:ident $value:expr,)+ } )+
    ) => {
        impl $Finding {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $method(self) -> $Value {
                    match self {
                        $(Self::$Variant => $value,)+
                    }
                }
            )+
        }

        impl $crate::diagnose::Finding for $Finding {
            const ALL: &'static [Self] = Self::ALL;
            $(
                fn $method(self) -> $Value {
                    self.$method()
                }
            )+
        }
    };
    (@ambiguous) => { "Ambiguous: these causes look the same." };
    (@is) => { false };
    (@is ambiguous) => { true };
}
