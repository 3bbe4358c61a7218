//! Differences between the cores with PMUv3.

use arm_pmu_core::diagnose::Finding as FindingOf;

/// A core with PMUv3.
pub trait Implementation {
    /// Selection of a counter; its number is the code of the event.
    type Selection: Copy + PartialEq + Into<u16>;

    /// Finding of a diagnosis, with its text.
    type Finding: FindingOf + From<Finding>;

    /// Bits 15 to 4 of the Main ID Register.
    const MAIN_ID_PART: u16;

    /// The same of another core with the same PMU and events, if there is one.
    const ALSO: Option<u16> = None;

    /// Code of the event that a diagnosis expects of any work: executed instructions.
    const INSTRUCTION: u16;
}

/// Code of the event for software increments, in every PMUv3.
pub const SOFTWARE_INCREMENT: u16 = 0x00;

/// Code of the event for clock cycles, in every PMUv3.
pub(crate) const CYCLE: u16 = 0x11;

/// Finding of the diagnosis of PMUv3.
///
/// Each implementation has its own texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the texts are in findings.yaml of each implementation")]
pub enum Finding {
    WritesIgnored,
    EnableLost,
    Interference,
    AnotherProcessor,
    UserModeClosed,
    NoAccess,
    Counters,
    ClockStandsStill,
    CountingProhibited,
    InstructionsNotCounted,
    ExpectedEventNotCounted,
}
