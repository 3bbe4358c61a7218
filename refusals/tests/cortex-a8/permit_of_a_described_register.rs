use arm_pmu_core::bus::{Location, Operands, RegisterSpec};
use cortex_a8::Space;
use cortex_a8::registers::pmcr::PmcrSpec;

const UNALLOCATED: Operands = Operands { opc1: 0, crn: 9, crm: 14, opc2: 7 };
const LOCATION: Location<Space> = Location::cp15(PmcrSpec::LOCATION.permit(), UNALLOCATED);

fn main() {}
