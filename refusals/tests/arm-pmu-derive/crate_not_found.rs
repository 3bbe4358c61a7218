use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(crate = ::arm_pmu_cor)]
pub enum Sample {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

fn main() {}
