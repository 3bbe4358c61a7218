//! Views of the registers of a device.

/// Defines a view: a struct that borrows a bus and has a method for each register.
///
/// The caller must have the module `field` in scope, and a module with the name of each register.
#[doc(hidden)]
#[macro_export]
macro_rules! register_view {
    // A view of all registers of a bus.
    (
        $(#[$doc:meta])*
        pub struct $View:ident $([$COUNTERS:ident])? ($Space:ty);
        $( $(#[$of_method:meta])* $register:ident $(, $at:ident)?: $spec:tt $(=> $value:ident)?; )*
    ) => {
        $(#[$doc])*
        ///
        /// The view borrows the bus, so registers cannot outlive the borrow.
        pub struct $View<'b, B $(, const $COUNTERS: usize)?> {
            bus: &'b B,
        }

        impl<'b, B: $crate::bus::Bus<Space = $Space> $(, const $COUNTERS: usize)?> $View<'b, B $(, $COUNTERS)?> {
            /// Returns the registers behind `bus`, which stays borrowed.
            #[inline(always)]
            pub fn new(bus: &'b mut B) -> Self {
                Self { bus }
            }

            /// Returns the registers, for the driver in this crate, which owns the bus.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn shared(bus: &'b B) -> Self {
                Self { bus }
            }

            $($crate::register_view! {
                @method 'b, B, self, 0; $(#[$of_method])* $register $(, $at)?: $spec $(=> $value)?
            })*
        }

        /// Printing does not access the device.
        impl<B $(, const $COUNTERS: usize)?> ::core::fmt::Debug for $View<'_, B $(, $COUNTERS)?> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(stringify!($View))
            }
        }
    };
    // A view of the registers of one block in an array.
    (
        $(#[$doc:meta])*
        $visibility:vis struct $View:ident($Space:ty)[index];
        $( $(#[$of_method:meta])* $register:ident $(, $at:ident)?: $spec:tt $(=> $value:ident)?; )*
    ) => {
        $(#[$doc])*
        pub struct $View<'b, B> {
            $visibility bus: &'b B,
            $visibility index: usize,
        }

        impl<'b, B: $crate::bus::Bus<Space = $Space>> $View<'b, B> {
            $($crate::register_view! {
                @method 'b, B, self, self.index; $(#[$of_method])* $register $(, $at)?: $spec $(=> $value)?
            })*
        }

        /// Prints the number of the block. Printing does not access the device.
        impl<B> ::core::fmt::Debug for $View<'_, B> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple(stringify!($View)).field(&self.index).finish()
            }
        }
    };
    // One register.
    (
        @method $b:lifetime, $B:ident, $self:ident, $index:expr;
        $(#[$doc:meta])* $register:ident: $Spec:ident
    ) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $register(&$self) -> field::Reg<$b, $register::$Spec, $B> {
            field::Reg::new($self.bus, $index)
        }
    };
    // A register that this view can only read.
    (
        @method $b:lifetime, $B:ident, $self:ident, $index:expr;
        $(#[$doc:meta])* $register:ident: $Spec:ident => R
    ) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $register(&$self) -> $register::R {
            field::Reg::<$register::$Spec, $B>::new($self.bus, $index).read()
        }
    };
    // An array of registers.
    (
        @method $b:lifetime, $B:ident, $self:ident, $index:expr;
        $(#[$doc:meta])* $register:ident, $at:ident: [$Spec:ident; $count:tt]
    ) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $register(&$self) -> [field::Reg<$b, $register::$Spec, $B>; $count] {
            let bus = $self.bus;
            ::core::array::from_fn(|index| field::Reg::new(bus, index))
        }

        /// Returns one register of an array. The driver in this crate uses this method in loops,
        /// because a loop over an array of all registers takes more code.
        #[allow(dead_code)]
        #[inline(always)]
        pub(crate) fn $at(&$self, index: usize) -> field::Reg<$b, $register::$Spec, $B> {
            field::Reg::new($self.bus, index)
        }
    };
    // An array of blocks.
    (
        @method $b:lifetime, $B:ident, $self:ident, $index:expr;
        $(#[$doc:meta])* $blocks:ident, $at:ident: [$Block:ident<_>; $count:literal]
    ) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $blocks(&$self) -> [$Block<$b, $B>; $count] {
            let bus = $self.bus;
            ::core::array::from_fn(|index| $Block { bus, index })
        }

        /// Returns one block of an array. The driver in this crate uses this method in loops,
        /// because a loop over an array of all blocks takes more code.
        #[allow(dead_code)]
        #[inline(always)]
        pub(crate) fn $at(&$self, index: usize) -> $Block<$b, $B> {
            $Block { bus: $self.bus, index }
        }
    };
}
