use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = "5")]
pub enum BitsNotANumber {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 17)]
pub enum BitsTooLarge {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 0)]
pub enum BitsTooSmall {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits)]
pub enum BitsWithoutValue {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 5)]
pub enum CodeTooWideForBits {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat = 0x20,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[repr(u32)]
pub enum CodeWithSuffix {
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat = 0x08u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(crate = "arm_pmu_core")]
pub enum CrateIsAString {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(crate = 5)]
pub enum CrateIsNotAPath {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event]
pub enum EventWithoutListOnEnum {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 5, bits = 6)]
pub enum RepeatedOnEnum {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(width = 5)]
pub enum UnknownAttributeOnEnum {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(name = "SAMPLE", secure_exempt)]
pub enum VariantAttributeOnEnum {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum NoVariants {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[repr(u16)]
pub enum EmptyFields {
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat() = 0x08,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum ReservedVariant {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
    /// Everything.
    #[event(name = "EVERYTHING")]
    ALL = 0x08,
    /// Another spelling of an existing name.
    #[event(name = "ANOTHER")]
    r#code = 0x09,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum WhereClause
where
    u16: Copy,
{
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat = 0x08,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub struct Struct {
    code: u16,
}

#[derive(Clone, Copy, Event)]
pub union Union {
    code: u16,
}

fn main() {}
