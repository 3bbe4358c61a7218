//! The parameters in which implementations of the CCI-5xx differ.

use arm_pmu_core::diagnose::Finding as FindingOf;

/// A product with the PMU of a CCI-5xx.
pub trait Implementation {
    /// Selection of a counter, convertible to an event id.
    ///
    /// Bits 8 to 5 of the event id are the source, and bits 4 to 0 the code.
    type Selection: Copy + PartialEq + Into<u16>;

    /// Finding of a diagnosis, with its texts.
    type Finding: FindingOf + From<Finding>;

    /// Part number in PID0 and PID1.
    const PART: u16;

    /// Code of the slave interface event for beats of read data. The event is Secure exempt.
    const READ_BEATS: u16;

    /// Code of the slave interface event for beats of write data. The event is Secure exempt.
    const WRITE_BEATS: u16;

    /// Code of the slave interface event for read requests. The event is not Secure exempt.
    const READ_REQUESTS: u16;

    /// Returns whether the product never signals this event.
    fn never_fires(selection: Self::Selection) -> bool;
}

/// Finding of the diagnosis of a CCI-5xx.
///
/// Each implementation has its own texts for the causes.
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
