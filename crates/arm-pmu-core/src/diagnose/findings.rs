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

            /// Returns the name of the finding in capitals.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }

            /// Returns why counters read zero, in one or two sentences.
            #[must_use]
            pub const fn cause(self) -> &'static str {
                match self {
                    $(Self::$Variant => $cause,)+
                }
            }

            /// Describes what the diagnosis read.
            #[must_use]
            pub const fn read(self) -> &'static str {
                match self {
                    $(Self::$Variant => $read,)+
                }
            }

            /// Describes the number that the diagnosis reads on a device without this cause.
            #[must_use]
            pub const fn expected(self) -> &'static str {
                match self {
                    $(Self::$Variant => $expected,)+
                }
            }

            /// Returns how to fix the cause.
            #[must_use]
            pub const fn fix(self) -> &'static str {
                match self {
                    $(Self::$Variant => $fix,)+
                }
            }

            /// Returns the party that can fix the cause.
            #[must_use]
            pub const fn fixable_by(self) -> $crate::diagnose::FixableBy {
                match self {
                    $(Self::$Variant => $crate::diagnose::FixableBy::$by,)+
                }
            }

            /// Returns the sources of the finding, with their confidence.
            #[must_use]
            pub const fn source(self) -> &'static str {
                match self {
                    $(Self::$Variant => $source,)+
                }
            }

            /// Returns whether the finding has several possible causes that the hardware cannot distinguish.
            #[must_use]
            pub const fn is_ambiguous(self) -> bool {
                match self {
                    $(Self::$Variant => $crate::findings!(@is $($ambiguous)?),)+
                }
            }
        }

        impl $crate::diagnose::Finding for $Finding {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn cause(self) -> &'static str {
                self.cause()
            }

            fn read(self) -> &'static str {
                self.read()
            }

            fn expected(self) -> &'static str {
                self.expected()
            }

            fn fix(self) -> &'static str {
                self.fix()
            }

            fn fixable_by(self) -> $crate::diagnose::FixableBy {
                self.fixable_by()
            }

            fn source(self) -> &'static str {
                self.source()
            }

            fn is_ambiguous(self) -> bool {
                self.is_ambiguous()
            }
        }

        impl ::core::fmt::Display for $Finding {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.cause())
            }
        }

        $crate::finding_formats!($Finding);
    };
    (@ambiguous) => { "Ambiguous: these causes look the same." };
    (@is) => { false };
    (@is ambiguous) => { true };
}
