//! Items of a register's module, except the methods of its fields.

/// Defines the type of a register, with its `R` and `W`.
///
/// The caller must have the module `field` in scope.
#[doc(hidden)]
#[macro_export]
macro_rules! register {
    (
        $name:literal: $Spec:ident($Word:ty), $Space:ty;
        $constructor:ident($($argument:expr),*);
        initial $initial:literal, keep $keep:literal;
        access $( $access:ident $(($($field:ident),*))? ),+;
        $( $(#[$doc:meta])* pub const $RESET:ident = $reset:literal; )*
    ) => {
        #[doc = concat!("Type that identifies ", $name, ".")]
        pub struct $Spec;

        impl $crate::bus::RegisterSpec for $Spec {
            type Space = $Space;
            type Ux = $Word;
            const LOCATION: $crate::bus::Location<$Space, $Word> =
                $crate::bus::Location::$constructor($($argument),*);
            const INITIAL: $Word = $initial;
            const KEEP: $Word = $keep;
        }

        $( $(#[$doc])* pub const $RESET: $Word = $reset; )*

        $( $crate::register! { @$access $name, $Spec $(($($field),*))? } )+
    };
    (@read $name:literal, $Spec:ident) => {
        impl field::Readable for $Spec {}

        #[doc = concat!("The value of ", $name, ", as it was read.")]
        pub type R = field::R<$Spec>;
    };
    (@read $name:literal, $Spec:ident ($($field:ident),*)) => {
        $crate::register! { @read $name, $Spec }

        impl ::core::fmt::Debug for R {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct($name)$(.field(stringify!($field), &self.$field()))*.finish()
            }
        }
    };
    (@write $name:literal, $Spec:ident) => {
        impl field::Writable for $Spec {}

        #[doc = concat!("A value to write to ", $name, ".")]
        pub type W = field::W<$Spec>;
    };
}
