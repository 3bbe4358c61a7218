#![forbid(unsafe_code)]

use arm_pmu_core::bus::{Bus, Location, RegisterSpec};
use cci550::{Mmio, Space};

/// The register Snoop Control of slave interface 0. The register does not belong to the PMU.
struct SnoopControl;

impl RegisterSpec for SnoopControl {
    type Space = Space;
    type Ux = u32;
    const LOCATION: Location<Space> = Location::at((), 0x1000);
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

fn disable_snoops(bus: &Mmio) {
    bus.store::<SnoopControl>(0, 0);
}

fn main() {}
