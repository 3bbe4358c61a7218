use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample {}

fn main() {}
