//! The PMU of an ARM1176.

pub use crate::generated::arm1176::events::{Arm1176Event, Selection};
pub use crate::generated::arm1176::findings::Finding;
pub use crate::generated::arm1176::{events, metrics, registers};

/// The PMU of an ARM1176, stopped.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1176, B>;

/// The PMU of an ARM1176, counting.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1176, B>;

/// One event counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;
