//! The PMU of an ARM1136.

pub use crate::generated::arm1136::events::{Arm1136Event, Selection};
pub use crate::generated::arm1136::findings::Finding;
pub use crate::generated::arm1136::{events, metrics, registers};

/// The PMU of an ARM1136, stopped.
pub type Pmu<B = crate::Cp15> = crate::Pmu<crate::Arm1136, B>;

/// The PMU of an ARM1136, counting.
pub type Running<B = crate::Cp15> = crate::Running<crate::Arm1136, B>;

/// One event counter, to say what it counts. Made by [`Pmu::counters`](crate::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;
