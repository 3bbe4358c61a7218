use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT", bits = 5)]
    ReadDataBeat = 0x08,
}

fn main() {}
