use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample<'a, T> {
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT")]
    ReadDataBeat = 0x08,
}

fn main() {}
