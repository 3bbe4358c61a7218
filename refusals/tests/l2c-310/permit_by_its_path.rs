use arm_pmu_core::bus::Location;
use l2c_310::Space;

const POWER_CONTROL: Location<Space> = Location::at(l2c_310::generated::space::PERMIT, 0xF80);

fn main() {}
