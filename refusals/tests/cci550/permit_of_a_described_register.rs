use arm_pmu_core::bus::{Location, RegisterSpec};
use cci550::Space;
use cci550::registers::pmcr::PmcrSpec;

const SNOOP_CONTROL: Location<Space> = Location::at(PmcrSpec::LOCATION.permit(), 0x1000);

fn main() {}
