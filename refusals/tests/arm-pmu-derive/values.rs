use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Values {
    /// A beat of read data was accepted.
    #[event(name = "UNIT_IS_A_STRING", unit = "beats")]
    UnitIsAString = 0x01,
    /// A beat of read data was accepted.
    #[event(name = "UNIT_VALUE_MISSING", unit =)]
    UnitValueMissing = 0x02,
    /// A beat of read data was accepted.
    #[event(name = "UNIT_WITHOUT_VALUE", unit)]
    UnitWithoutValue = 0x03,
    /// A beat of read data was accepted.
    #[event(name = "MISSPELT_UNIT", unit = beat)]
    MisspeltUnit = 0x04,
    /// A beat of read data was accepted.
    #[event(name = "UNKNOWN_UNIT", unit = furlongs)]
    UnknownUnit = 0x05,
    /// A beat of read data was accepted.
    #[event(name = "EVNTBUS_NEGATIVE", evntbus = -1)]
    EvntbusNegative = 0x06,
    /// A beat of read data was accepted.
    #[event(name = "EVNTBUS_TOO_LARGE", evntbus = 65536)]
    EvntbusTooLarge = 0x07,
    /// A beat of read data was accepted.
    #[event(name = "EVNTBUS_WITH_SUFFIX", evntbus = 8u16)]
    EvntbusWithSuffix = 0x08,
    /// A beat of read data was accepted.
    #[event(name = "EVNTBUS_WITHOUT_VALUE", evntbus)]
    EvntbusWithoutValue = 0x09,
    /// A read request was accepted.
    #[event(name = "READ_REQUEST", evntbus = 3)]
    ReadRequest = 0x00,
    /// A beat of read data was accepted.
    #[event(name = "DUPLICATE_EVNTBUS", evntbus = 3)]
    DuplicateEvntbus = 0x0a,
}

fn main() {}
