//! Counts, and whether they are exact.
//!
//! Start with [`Count`]: the count of one counter, or the [reason](CountError) why it is not exact. An
//! [`Amount`] has 64 bits and can also be an estimate, with its [`Scaling`].
//!
//! [Example](Count)

mod amount;
mod count;

pub use amount::{Amount, Scaling};
pub use count::{Count, CountError};

pub(crate) use count::pad;
