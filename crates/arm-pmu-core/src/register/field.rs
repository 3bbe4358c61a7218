//! The type of a field's values.

/// The type of a field's values: a number, or an enum of those that have a name.
pub trait FieldSpec: Copy {
    /// The number.
    type Ux: Copy;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl FieldSpec for $number {
            type Ux = Self;
        }
    )*};
}

numbers!(u8, u16, u32, u64);

/// Marker of fields for which every value is legal.
#[derive(Debug)]
pub struct Safe;
