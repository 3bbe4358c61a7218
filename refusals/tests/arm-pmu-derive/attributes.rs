use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Attributes {
    /// A beat of read data was accepted.
    #[event[name = "EVENT_IN_BRACKETS"]]
    EventInBrackets = 0x01,
    /// A beat of read data was accepted.
    #[event = "EVENT_WITH_VALUE"]
    EventWithValue = 0x02,
    /// A beat of read data was accepted.
    #[event]
    EventWithoutList = 0x03,
    /// A beat of read data was accepted.
    #[event("NOT_AN_ATTRIBUTE")]
    NotAnAttribute = 0x04,
    /// A beat of read data was accepted.
    #[event(name = "MISSING_COMMA" unit = beats)]
    MissingComma = 0x05,
    /// A beat of read data was accepted.
    #[event(name = "MISSING_COMMA_AFTER_FLAG", secure_exempt ace_only)]
    MissingCommaAfterFlag = 0x06,
    /// A beat of read data was accepted.
    #[event(name = "STRAY_COMMA",, unit = beats)]
    StrayComma = 0x07,
    /// A beat of read data was accepted.
    #[event(name = "REPEATED_ATTRIBUTE", unit = beats, name = "REPEATED_ATTRIBUTE")]
    RepeatedAttribute = 0x08,
    /// A beat of read data was accepted.
    #[event(name = "REPEATED_IN_ANOTHER_LIST", secure_exempt)]
    #[event(secure_exempt)]
    RepeatedInAnotherList = 0x09,
    /// A beat of read data was accepted.
    #[event(name = "UNKNOWN_ATTRIBUTE", line = 3)]
    UnknownAttribute = 0x0a,
    /// A beat of read data was accepted.
    #[event(name = "MISSPELT_FLAG", secure_excempt)]
    MisspeltFlag = 0x0b,
    /// A beat of read data was accepted.
    #[event(name = "FLAG_IN_PARENTHESES", secure_exempt(true))]
    FlagInParentheses = 0x0c,
    /// A beat of read data was accepted.
    #[event(name = "FLAG_WITH_VALUE", secure_exempt = false)]
    FlagWithValue = 0x0d,
    /// A beat of read data was accepted.
    #[event(name = "ENUM_ATTRIBUTE_ON_VARIANT", bits = 5)]
    EnumAttributeOnVariant = 0x0e,
}

fn main() {}
