//! Tests of the common API, as used by a program that depends only on the facade.

use arm_pmu::bus::{Bus, Location, RegisterSpec};
use arm_pmu::cci550::registers::pmcr::PmcrSpec;
use arm_pmu::event::Event;
use arm_pmu_sim::Cci550;

/// Events of a user-defined IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(crate = arm_pmu, bits = 4)]
enum OwnEvent {
    /// A door was opened.
    #[event(name = "DOOR_OPENED")]
    DoorOpened = 0x3,
}

#[test]
fn the_derive_finds_the_facade() {
    assert_eq!(OwnEvent::from_code(3), Some(OwnEvent::DoorOpened));
    assert_eq!("door_opened".parse(), Ok(OwnEvent::DoorOpened));
}

/// A `static` mutex can contain a PMU, and the overflow handler can take the PMU from the mutex.
#[test]
fn a_pmu_moves_between_threads() {
    fn moves<T: Send>() {}
    moves::<arm_pmu::cci550::Pmu<arm_pmu::cci550::Mmio>>();
    moves::<arm_pmu::cortex_a53::Pmu<arm_pmu::cortex_a53::Sysreg>>();
    moves::<arm_pmu::cortex_a8::Pmu<arm_pmu::cortex_a8::Cp15>>();
}

/// A second type for the location of PMCR.
struct Alias;

impl RegisterSpec for Alias {
    type Space = arm_pmu::cci550::Space;
    type Ux = u32;
    const LOCATION: Location<Self::Space> = PmcrSpec::LOCATION;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

#[test]
fn a_copied_location_is_the_same_register() {
    let device = Cci550::new();
    assert_eq!(device.bus().load::<Alias>(0), device.peek(0x100));
}
