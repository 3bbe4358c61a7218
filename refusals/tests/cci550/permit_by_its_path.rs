use arm_pmu_core::bus::Location;
use cci550::Space;

const SNOOP_CONTROL: Location<Space> = Location::at(cci5xx::generated::space::PERMIT, 0x1000);

fn main() {}
