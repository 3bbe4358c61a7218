//! The findings that a core's diagnosis can report.

use arm_pmu_core::diagnose::Finding;

/// Findings of the diagnosis of a core. This trait is sealed, as [`Core`] is.
pub trait Findings {
    type Finding: Finding;
    const WRITES_IGNORED: Self::Finding;
    const ENABLE_LOST: Self::Finding;
    const INTERFERENCE: Self::Finding;
    const ANOTHER_PROCESSOR: Self::Finding;
    /// An access caused an Undefined Instruction exception.
    const CLOSED: Self::Finding;
    const OVERFLOW_NOT_ACKNOWLEDGED: Self::Finding;
    const STAND_STILL: Self::Finding;
    /// The cycle counter runs, but an event counter that counts cycles stands still.
    const EVENTS_STAND_STILL: Self::Finding;
    const INSTRUCTIONS_NOT_COUNTED: Self::Finding;
    const EXPECTED_EVENT_NOT_COUNTED: Self::Finding;
}
