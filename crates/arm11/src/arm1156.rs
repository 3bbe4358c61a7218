//! The PMU of an ARM1156.

pub use crate::generated::arm1156::events::{Arm1156Event, Selection};
pub use crate::generated::arm1156::findings::Finding;
pub use crate::generated::arm1156::{events, metrics, registers};

/// The PMU of an ARM1156, stopped.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1156, B>;

/// The PMU of an ARM1156, counting.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1156, B>;

/// One event counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;
