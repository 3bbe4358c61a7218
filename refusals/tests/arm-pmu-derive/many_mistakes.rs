//! All mistakes are reported together; uses of the enum cause no further errors.

use arm_pmu_core::event::Event as _;
use arm_pmu_derive::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 50, size = 5)]
pub enum Sample {
    #[event(name = "read-request", evntbus = 3)]
    ReadRequest = 0x00,
    /// A beat of read data was accepted.
    #[event(unit = beat, evntbus = 3, secure_exempt = true)]
    ReadDataBeat,
    #[doc = "A retry \u{2026} happened."]
    #[event(name = "RETRY", acce_only)]
    #[event(name = "RETRY")]
    Retry = 0x08 + 1,
    /// A snoop hit.
    #[event(name = "RETRY")]
    SnoopHit = 0x10000,
}

const CODE: u16 = Sample::Retry.code();

fn print<E: arm_pmu_core::event::Event>(event: E) {
    println!("{event}: {}, {:?}", event.summary(), event.unit());
}

fn main() {
    print(Sample::ReadRequest);
    print(Sample::from_code(CODE).unwrap());
    print("RETRY".parse::<Sample>().unwrap());
    for event in Sample::ALL {
        print(*event);
        println!("{} {:?}", u16::from(*event), event.evntbus());
    }
}
