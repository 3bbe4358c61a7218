use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Summaries {
    #[event(name = "MISSING_SUMMARY")]
    MissingSummary = 0x01,
    /// A beat of read data was accepted.
    #[event(name = "SUMMARY_AS_ATTRIBUTE", summary = "A beat.")]
    SummaryAsAttribute = 0x02,
    #[doc = concat!("A read", " request.")]
    #[event(name = "SUMMARY_FROM_A_MACRO")]
    SummaryFromAMacro = 0x03,
    /// A beat was accepted,
    /// née a transfer – or not.
    #[event(name = "SUMMARY_NOT_ASCII")]
    SummaryNotAscii = 0x04,
}

fn main() {}
