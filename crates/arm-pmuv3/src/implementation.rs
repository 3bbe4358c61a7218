//! Differences between the cores with PMUv3, and common parts.

use arm_pmu_core::diagnose::Finding as FindingOf;

/// A core with PMUv3.
pub trait Implementation {
    /// Selection of a counter; its number is the code of the event.
    type Selection: Copy + PartialEq + Into<u16>;

    /// Finding of a diagnosis, with its text.
    type Finding: FindingOf + From<Cause>;

    /// Code of the event that a diagnosis expects of any work: executed instructions.
    const INSTRUCTION: u16;

    /// Whether there can be more event counters than a driver uses.
    const HAS_OTHERS: bool = false;
}

/// A core that is known by its Main ID Register.
pub trait Core: Implementation {
    /// Bits 15 to 4 of the Main ID Register.
    const MAIN_ID_PART: u16;

    /// Part numbers of other cores with the same PMU and events.
    const ALSO: &'static [u16] = &[];
}

/// Code of the event for software increments, in every PMUv3.
pub const SOFTWARE_INCREMENT: u16 = 0x00;

/// Code of the event for clock cycles, in every PMUv3.
pub(crate) const CYCLE: u16 = 0x11;

/// Findings of the diagnosis of PMUv3. Each implementation has a `Finding` with a text for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the texts are in findings.yaml of each implementation")]
pub enum Cause {
    WritesIgnored,
    EnableLost,
    Interference,
    AnotherProcessor,
    UserModeClosed,
    NoAccess,
    Counters,
    ReservedForEl2,
    CycleCounterDisabled,
    ClockStandsStill,
    ProhibitedAtEl3,
    ProhibitedAtEl2,
    CountingProhibited,
    InstructionsNotCounted,
    ExpectedEventNotCounted,
}
