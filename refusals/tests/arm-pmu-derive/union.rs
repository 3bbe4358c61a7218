use arm_pmu_derive::Event;

#[derive(Clone, Copy, Event)]
pub union Sample {
    code: u16,
}

fn main() {}
