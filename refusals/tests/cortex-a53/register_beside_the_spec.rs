#![forbid(unsafe_code)]

use arm_pmu_core::bus::{Bus, Location, RegisterSpec, SystemRegister};
use cortex_a53::{Space, Sysreg};

/// The selector, which the specs leave out.
struct Selector;

impl RegisterSpec for Selector {
    type Space = Space;
    type Ux = u64;
    const LOCATION: Location<Space, u64> =
        Location::sysreg((), SystemRegister { op0: 3, op1: 3, crn: 9, crm: 12, op2: 5 });
    const INITIAL: u64 = 0;
    const KEEP: u64 = 0;
}

fn write(bus: &Sysreg) {
    bus.store::<Selector>(0, 1);
}

fn main() {}
