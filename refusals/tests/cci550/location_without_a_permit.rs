use arm_pmu_core::bus::Location;
use cci550::Space;

const SNOOP_CONTROL: Location<Space> = Location { key: 0x1000, count: 1, stride: 0 };

fn main() {}
