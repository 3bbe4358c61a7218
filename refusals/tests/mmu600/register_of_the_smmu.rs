#![forbid(unsafe_code)]

use arm_pmu_core::bus::{Bus, Location, RegisterSpec};
use mmu600::registers;
use mmu600::tcu::{Page0, Region};

/// A register of the SMMU, not of the PMU, although its offset is in the region: the base of the
/// event queue.
struct EventQueueBase;

impl RegisterSpec for EventQueueBase {
    type Space = registers::tcu::Region;
    type Ux = u32;
    const LOCATION: Location<registers::tcu::Region> = Location::at((), 0xA0);
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

/// A register of page 0 that does not belong to the PMU.
struct Reserved;

impl RegisterSpec for Reserved {
    type Space = registers::Page0;
    type Ux = u32;
    const LOCATION: Location<registers::Page0> = Location::at((), 0x100);
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

fn redirect(region: &Region, page0: &Page0) {
    region.store::<EventQueueBase>(0, 0x8000_0000);
    page0.store::<Reserved>(0, 0);
}

fn main() {}
