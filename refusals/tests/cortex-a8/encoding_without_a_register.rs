#![forbid(unsafe_code)]

use arm_pmu_core::bus::{Bus, Location, Operands, RegisterSpec};
use cortex_a8::{Cp15, Space};

/// Performance monitor operands that select no register on a Cortex-A8.
struct Unallocated;

impl RegisterSpec for Unallocated {
    type Space = Space;
    type Ux = u32;
    const LOCATION: Location<Space> =
        Location::cp15((), Operands { opc1: 0, crn: 9, crm: 14, opc2: 7 });
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

fn write(bus: &Cp15) {
    bus.store::<Unallocated>(0, 1);
}

fn main() {}
