use arm_pmu_core::bus::Location;
use cci550::Space;

const SNOOP_CONTROL: Location<Space> = Location::at(Default::default(), 0x1000);

fn main() {}
