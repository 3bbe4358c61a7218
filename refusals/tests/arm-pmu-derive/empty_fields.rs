use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[repr(u16)]
pub enum Sample {
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat() = 0x08,
}

fn main() {}
