//! The parameters in which cores with PMUv3 differ.

use arm_pmu_core::diagnose::Finding as FindingOf;
use arm_pmu_core::event::Selectable;

/// A core with PMUv3.
pub trait Implementation {
    /// Selection of a counter, convertible to an event code.
    type Selection: Copy + PartialEq + Into<u16> + Selectable;

    /// Finding of a diagnosis, with its texts.
    type Finding: FindingOf + From<Cause>;

    /// Code of the event for executed instructions, which a diagnosis always expects.
    const INSTRUCTION: u16;

    /// Lowest ID_AA64DFR0_EL1.PMUVer of the core. With [`HAS_OTHERS`](Self::HAS_OTHERS), a probe can set a later
    /// version.
    const VERSION: u8 = 1;

    /// Whether a core can have [thresholds](crate::Threshold), which are the options of a selection.
    const HAS_THRESHOLDS: bool = false;

    /// Whether a core can have more event counters than a driver uses.
    const HAS_OTHERS: bool = false;
}

/// A core that is identified by its Main ID Register.
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

/// Causes that the diagnosis of PMUv3 can find. Each implementation has a `Finding` with the text
/// for each cause.
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
