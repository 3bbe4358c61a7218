use arm_pmu_derive::Event;

const BASE: u16 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Codes {
    /// A beat of read data was accepted.
    #[event(name = "CODE_AS_ATTRIBUTE", code = 8)]
    CodeAsAttribute = 0x01,
    /// A beat of read data was accepted.
    #[event(name = "CODE_IS_AN_EXPRESSION")]
    CodeIsAnExpression = BASE + 1,
    /// A beat of read data was accepted.
    #[event(name = "CODE_OUT_OF_ALL_BOUNDS")]
    CodeOutOfAllBounds = 0xFFFF_FFFF_FFFF_FFFF_FFFF,
    /// A beat of read data was accepted.
    #[event(name = "CODE_TOO_WIDE")]
    CodeTooWide = 0x1_0000,
    /// A beat of read data was accepted.
    #[event(name = "MISSING_CODE")]
    MissingCode,
    /// A beat of read data was accepted.
    #[event(name = "NEGATIVE_CODE")]
    NegativeCode = -8,
}

fn main() {}
