//! The PMU of the Translation Control Unit.
//!
//! [Example](crate#how-to)

pub use crate::generated::tcu::events::{Selection, TcuEvent};
pub use crate::generated::tcu::pmu::{Counter, Page0, Page1, Pmu, Region, Running, pages};
pub use crate::generated::tcu::{events, metrics};
