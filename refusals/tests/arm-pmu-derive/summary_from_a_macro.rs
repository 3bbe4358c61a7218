use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample {
    #[doc = concat!("A read", " request.")]
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
}

fn main() {}
