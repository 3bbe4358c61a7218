//! Support code for a crate with registers.

/// Defines the types of the module `field` of a crate whose registers have the width of `$Word`.
///
/// Generated code has inherent methods on `R<PmcrSpec>`, `W<PmcrSpec>` and readers of fields, so the crate must
/// define these types. Writer constructors stay private to the crate, so that reserved bits cannot be written.
#[doc(hidden)]
#[macro_export]
macro_rules! register_support {
    (@bit_writer $Word:ty; $(#[$doc:meta])* $Writer:ident $(#[$method_doc:meta])* $method:ident) => {
        $(#[$doc])*
        #[must_use = "nothing is written until the bit is set"]
        pub struct $Writer<'w, S> {
            w: &'w mut W<S>,
            bit: u8,
        }

        impl<'w, S> $Writer<'w, S> {
            // Not every IP has all kinds of bits.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn new(w: &'w mut W<S>, bit: u8) -> Self {
                Self { w, bit }
            }

            /// Writes this bit.
            #[inline(always)]
            pub fn bit(self, value: bool) -> &'w mut W<S> {
                self.w.bits = self.w.bits & !(1 << self.bit) | <$Word>::from(value) << self.bit;
                self.w
            }

            $(#[$method_doc])*
            #[inline(always)]
            pub fn $method(self) -> &'w mut W<S> {
                self.bit(true)
            }
        }
    };
    ($Word:ty) => {
        use ::core::fmt;
        use ::core::marker::PhantomData;

        use $crate::bus::{Bus, RegisterSpec};

        pub use $crate::register::{FieldSpec, Readable, Safe, Writable};

        /// Value of a register that was read.
        pub struct R<S> {
            pub(crate) bits: $Word,
            spec: PhantomData<S>,
        }

        impl<S: Readable<Ux = $Word>> R<S> {
            /// Creates the value from a number that was read by other means.
            #[inline(always)]
            #[must_use]
            pub const fn from_bits(bits: $Word) -> Self {
                Self { bits, spec: PhantomData }
            }

            /// Returns the register value as a number.
            #[inline(always)]
            #[must_use]
            pub const fn bits(&self) -> $Word {
                self.bits
            }
        }

        impl<S> Clone for R<S> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<S> Copy for R<S> {}

        impl<S> PartialEq for R<S> {
            fn eq(&self, other: &Self) -> bool {
                self.bits == other.bits
            }
        }

        impl<S> Eq for R<S> {}

        /// A register value to write, whose fields are being set.
        pub struct W<S> {
            pub(crate) bits: $Word,
            spec: PhantomData<S>,
        }

        impl<S: Writable<Ux = $Word>> W<S> {
            /// Encodes a value without a write to the device.
            ///
            /// Fields that `value` does not set have their reset values.
            #[inline(always)]
            pub fn encode(value: impl FnOnce(&mut Self) -> &mut Self) -> $Word {
                Self::from(S::INITIAL, value)
            }

            #[inline(always)]
            fn from(bits: $Word, value: impl FnOnce(&mut Self) -> &mut Self) -> $Word {
                value(&mut Self { bits, spec: PhantomData }).bits
            }
        }

        impl<S> fmt::Debug for W<S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "W({:#0width$x})", self.bits, width = 2 + <$Word>::BITS as usize / 4)
            }
        }

        /// Value of a field that was read.
        pub struct FieldReader<T: FieldSpec = u8> {
            pub(crate) bits: T::Ux,
        }

        impl<T: FieldSpec> FieldReader<T> {
            #[inline(always)]
            pub(crate) const fn new(bits: T::Ux) -> Self {
                Self { bits }
            }

            /// Returns the field value, with its lowest bit in bit 0.
            #[inline(always)]
            #[must_use]
            pub const fn bits(&self) -> T::Ux {
                self.bits
            }
        }

        impl<T: FieldSpec> Clone for FieldReader<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: FieldSpec> Copy for FieldReader<T> {}

        impl<T: FieldSpec<Ux: PartialEq>> PartialEq for FieldReader<T> {
            fn eq(&self, other: &Self) -> bool {
                self.bits == other.bits
            }
        }

        impl<T: FieldSpec<Ux: Eq>> Eq for FieldReader<T> {}

        impl<T: FieldSpec<Ux: PartialEq> + Into<T::Ux>> PartialEq<T> for FieldReader<T> {
            fn eq(&self, value: &T) -> bool {
                self.bits == (*value).into()
            }
        }

        impl<T: FieldSpec<Ux: fmt::Debug>> fmt::Debug for FieldReader<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.bits.fmt(f)
            }
        }

        /// Value of a one-bit field that was read.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct BitReader<T = bool> {
            pub(crate) bits: bool,
            values: PhantomData<T>,
        }

        impl<T> BitReader<T> {
            #[inline(always)]
            pub(crate) const fn new(bits: bool) -> Self {
                Self { bits, values: PhantomData }
            }

            /// Returns the bit.
            #[inline(always)]
            #[must_use]
            pub const fn bit(&self) -> bool {
                self.bits
            }

            /// Returns whether the bit is 1.
            #[inline(always)]
            #[must_use]
            pub const fn bit_is_set(&self) -> bool {
                self.bits
            }

            /// Returns whether the bit is 0.
            #[inline(always)]
            #[must_use]
            pub const fn bit_is_clear(&self) -> bool {
                !self.bits
            }
        }

        impl<T: Copy + Into<bool>> PartialEq<T> for BitReader<T> {
            fn eq(&self, value: &T) -> bool {
                self.bits == (*value).into()
            }
        }

        impl<T> fmt::Debug for BitReader<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.bits.fmt(f)
            }
        }

        /// Writer of a field of `WIDTH` bits.
        #[must_use = "nothing is written until the field is set"]
        pub struct FieldWriter<'w, S, const WIDTH: u8, T = u8, Values = Safe> {
            w: &'w mut W<S>,
            low: u8,
            values: PhantomData<(T, Values)>,
        }

        impl<'w, S, const WIDTH: u8, T, Values> FieldWriter<'w, S, WIDTH, T, Values> {
            #[inline(always)]
            pub(crate) fn new(w: &'w mut W<S>, low: u8) -> Self {
                Self { w, low, values: PhantomData }
            }
        }

        impl<'w, S, const WIDTH: u8, T: FieldSpec<Ux: Into<$Word>>>
            FieldWriter<'w, S, WIDTH, T, Safe>
        {
            /// Sets the field to the lowest `WIDTH` bits of `value`.
            #[inline(always)]
            pub fn set(self, value: T::Ux) -> &'w mut W<S> {
                let mask = <$Word>::MAX >> (<$Word>::BITS - WIDTH as u32);
                self.w.bits = self.w.bits & !(mask << self.low) | (value.into() & mask) << self.low;
                self.w
            }

            /// Sets the field to a named value.
            #[inline(always)]
            pub fn variant(self, value: T) -> &'w mut W<S>
            where
                T: Into<T::Ux>,
            {
                self.set(value.into())
            }
        }

        /// Writer of a one-bit field.
        #[must_use = "nothing is written until the bit is set"]
        pub struct BitWriter<'w, S, T = bool> {
            w: &'w mut W<S>,
            bit: u8,
            values: PhantomData<T>,
        }

        impl<'w, S, T> BitWriter<'w, S, T> {
            #[inline(always)]
            pub(crate) fn new(w: &'w mut W<S>, bit: u8) -> Self {
                Self { w, bit, values: PhantomData }
            }

            /// Writes this bit.
            #[inline(always)]
            pub fn bit(self, value: bool) -> &'w mut W<S> {
                self.w.bits = self.w.bits & !(1 << self.bit) | <$Word>::from(value) << self.bit;
                self.w
            }

            /// Writes 1.
            #[inline(always)]
            pub fn set_bit(self) -> &'w mut W<S> {
                self.bit(true)
            }

            /// Writes 0.
            #[inline(always)]
            pub fn clear_bit(self) -> &'w mut W<S> {
                self.bit(false)
            }

            /// Writes a named value.
            #[inline(always)]
            pub fn variant(self, value: T) -> &'w mut W<S>
            where
                T: Into<bool>,
            {
                self.bit(value.into())
            }
        }

        $crate::register_support! { @bit_writer $Word;
            /// Writer of a bit: writing 1 sets the bit or triggers its action; writing 0 has no effect.
            BitWriter1S
            /// Writes 1 to set the bit or trigger its action.
            set_bit
        }

        $crate::register_support! { @bit_writer $Word;
            /// Writer of a bit: writing 1 clears the bit; writing 0 has no effect.
            BitWriter1C
            /// Writes 1 to clear the bit.
            clear_bit_by_one
        }

        /// A register of a borrowed device.
        pub struct Reg<'b, S, B> {
            bus: &'b B,
            index: usize,
            spec: PhantomData<S>,
        }

        impl<'b, S, B> Reg<'b, S, B>
        where
            S: RegisterSpec,
            B: Bus<Space = S::Space>,
        {
            #[inline(always)]
            pub(crate) fn new(bus: &'b B, index: usize) -> Self {
                Self { bus, index, spec: PhantomData }
            }

            /// Reads the register.
            #[inline(always)]
            pub fn read(&self) -> R<S>
            where
                S: Readable<Ux = $Word>,
            {
                R::from_bits(self.bus.load::<S>(self.index))
            }

            /// Writes the register.
            ///
            /// Fields that `value` does not set are written with their reset values.
            #[inline(always)]
            pub fn write(&self, value: impl FnOnce(&mut W<S>) -> &mut W<S>)
            where
                S: Writable<Ux = $Word>,
            {
                self.bus.store::<S>(self.index, W::encode(value));
            }

            /// Reads the register, sets the fields of `value`, and writes it back.
            ///
            /// All other bits keep their values if they are both readable and writable. Unless
            /// `value` sets them, write-1-to-clear flags stay as they are, and trigger bits have no
            /// effect.
            #[inline(always)]
            pub fn modify(&self, value: impl FnOnce(R<S>, &mut W<S>) -> &mut W<S>)
            where
                S: Readable<Ux = $Word> + Writable,
            {
                let old = self.read();
                self.modify_from(old, |w| value(old, w));
            }

            /// Like [`modify`](Self::modify), but starts from a value that was read before.
            ///
            /// If the register has changed since that read, the change is overwritten.
            #[inline(always)]
            pub fn modify_from(&self, old: R<S>, value: impl FnOnce(&mut W<S>) -> &mut W<S>)
            where
                S: Readable<Ux = $Word> + Writable,
            {
                let start = old.bits & S::KEEP | S::INITIAL & !S::KEEP;
                self.bus.store::<S>(self.index, W::from(start, value));
            }

            /// Waits until all earlier accesses are complete. See [`Bus::synchronize`].
            #[inline(always)]
            pub fn synchronize(&self) {
                self.bus.synchronize_after::<S>();
            }
        }

        /// Prints the number of the array element. Printing does not access the device.
        impl<S, B> fmt::Debug for Reg<'_, S, B> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "Reg({})", self.index)
            }
        }
    };
}
