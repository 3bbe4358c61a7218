//! How many events there were, and whether that is certain.

mod amount;
mod count;

pub use amount::{Amount, Scaling};
pub use count::{Count, CountError};

pub(crate) use count::{pad, pad_number};
