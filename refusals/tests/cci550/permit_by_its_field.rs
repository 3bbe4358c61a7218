use arm_pmu_core::bus::Location;
use cci550::Space;

type Permit = <Space as arm_pmu_core::bus::Space>::Permit;

const SNOOP_CONTROL: Location<Space> = Location::at(Permit { 0: () }, 0x1000);

fn main() {}
