//! The type of a field's values.

/// The type of a field's values: a number, or an enum of the named values.
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

/// Marker: every value of the field is legal.
#[derive(Debug)]
pub struct Safe;
