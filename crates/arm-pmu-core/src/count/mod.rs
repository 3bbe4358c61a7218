//! How many events there were, and how certain that is.
//!
//! Start with [`Count`]: the number that one counter gave, or the [reason](CountError) why it is not exact. An
//! [`Amount`] is the same for numbers of 64 bits, and for estimates, which have a [`Scaling`].

mod amount;
mod count;

pub use amount::{Amount, Scaling};
pub use count::{Count, CountError};

pub(crate) use count::pad;
