//! Types of field values.

/// Type of a field's values: a number, or an enum of named values.
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

/// Marker type: every value of the field is legal.
#[derive(Debug)]
pub struct Safe;
