//! Counts of events, exact or with an error.
//!
//! Start with [`Count`]: the count of one counter, or the [reason](CountError) why the count is not
//! exact. An [`Amount`] is a 64-bit number of events; it can also be an estimate, with its
//! [`Scaling`].
//!
//! [Example](Count)

mod amount;
mod count;

pub use amount::{Amount, Scaling};
pub use count::{Count, CountError};

pub(crate) use count::pad;
