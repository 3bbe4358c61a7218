use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub struct Sample {
    code: u16,
}

fn main() {}
