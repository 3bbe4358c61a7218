use arm_pmu_derive::Event;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

fn main() {}
