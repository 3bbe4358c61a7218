use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Sample {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    ReadRequest = 0x00,
    /// Everything.
    #[event(name = "EVERYTHING")]
    ALL = 0x08,
    /// Another spelling of a name that is taken.
    #[event(name = "ANOTHER")]
    r#code = 0x09,
}

fn main() {}
