//! The parameters in which cores with an ARMv7 PMU differ.

use arm_pmu_core::diagnose::Finding as FindingOf;

use crate::filter::FilterOf;

/// A core with an ARMv7 PMU.
pub trait Implementation {
    /// Selection of a counter, convertible to an event code.
    type Selection: Copy + PartialEq + Into<u16>;

    /// Finding of a diagnosis, with its texts.
    type Finding: FindingOf + From<Finding>;

    /// Filter type: [`Filter`](crate::Filter), or [`NoFilter`](crate::NoFilter) for version 1 of
    /// the PMU.
    type Filter: FilterOf;

    /// Bits 15 to 4 of the Main ID Register.
    const MAIN_ID_PART: u16;

    /// Code of the event for executed instructions, which a diagnosis always expects.
    const INSTRUCTION: u8;
}

/// Code of the event for software increments, in every ARMv7 PMU.
pub const SOFTWARE_INCREMENT: u16 = 0x00;

/// Code of the event for clock cycles, in every ARMv7 PMU.
pub(crate) const CYCLE: u8 = 0x11;

/// Finding of the diagnosis of an ARMv7 PMU.
///
/// Each implementation has its own texts for the causes.
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
    SelectorMoved,
    ClockStandsStill,
    DebugNotPermitted,
    InstructionsNotCounted,
    ExpectedEventNotCounted,
}
