use arm_pmu_core::bus::{Location, Operands, RegisterSpec};
use cortex_a8::Space;
use cortex_a8::registers::pmnc::PmncSpec;

const UNALLOCATED: Operands = Operands { opc1: 0, crn: 9, crm: 14, opc2: 7 };
const LOCATION: Location<Space> = Location::cp15(PmncSpec::LOCATION.permit(), UNALLOCATED);

fn main() {}
