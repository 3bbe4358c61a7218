use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Names {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
    /// A beat of read data was accepted.
    #[event(nmae = "MISSPELT_NAME")]
    MisspeltName = 0x01,
    /// A beat of read data was accepted.
    #[event(name = "2_BEATS")]
    NameBeginsWithADigit = 0x02,
    /// A beat of read data was accepted.
    #[event(name = "")]
    NameEmpty = 0x03,
    /// A beat of read data was accepted.
    #[event(name = "read_data_beat")]
    NameInLowerCase = 0x04,
    /// A beat of read data was accepted.
    #[event(name("NAME_IN_PARENTHESES"))]
    NameInParentheses = 0x05,
    /// A beat of read data was accepted.
    #[event(name = READ_DATA_BEAT)]
    NameNotAString = 0x06,
    /// A beat of read data was accepted.
    #[event(name = "R\u{c9}AD")]
    NameNotAscii = 0x07,
    /// A beat of read data was accepted.
    #[event(name = "Read Beat (all)")]
    NameWithOtherCharacters = 0x08,
    /// A beat of read data was accepted.
    #[event(name)]
    NameWithoutValue = 0x09,
    /// A beat of read data was accepted.
    MissingAttribute = 0x0a,
    /// A beat of read data was accepted.
    #[event(unit = beats)]
    MissingName = 0x0b,
    /// A beat of read data was accepted.
    #[event(name = "READ_REQUEST")]
    DuplicateName = 0x0c,
}

fn main() {}
