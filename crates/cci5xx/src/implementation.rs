//! What distinguishes the implementations of a CCI-5xx.

use arm_pmu_core::diagnose::Finding as FindingOf;

/// A product that has the PMU of a CCI-5xx.
pub trait Implementation {
    /// What a counter counts. As a number it is the event id: the source in bits 8 to 5, the code below.
    type Selection: Copy + PartialEq + Into<u16>;

    /// What a diagnosis finds, with its text.
    type Finding: FindingOf + From<Finding>;

    /// The part number in PID0 and PID1.
    const PART: u16;

    /// The code of the event of a slave interface that counts beats of read data, and is secure exempt.
    const READ_BEATS: u16;

    /// The same for write data.
    const WRITE_BEATS: u16;

    /// The code of the event of a slave interface that counts read requests, and is not secure exempt.
    const READ_REQUESTS: u16;

    /// Whether the product never signals this event.
    fn never_fires(selection: Self::Selection) -> bool;
}

/// What the diagnosis of a CCI-5xx finds. The implementations have a text for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the texts are in findings.yaml of each implementation")]
pub enum Finding {
    BusError,
    Interference,
    ReadsAsZero,
    ReadsAsOnes,
    AnotherProduct,
    Counters,
    WritesIgnored,
    NeverFires,
    CountersNotClocked,
    EnableLost,
    NidenLow,
    NidenLowOrSilence,
    SecureNotObserved,
    ExpectedEventNotCounted,
}
