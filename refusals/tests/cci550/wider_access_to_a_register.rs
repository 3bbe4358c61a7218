use arm_pmu_core::bus::{Location, RegisterSpec};
use cci550::Space;
use cci550::registers::pmcr::PmcrSpec;

/// A 64-bit register at PMCR, which would include the next register.
struct PmcrAndMore;

impl RegisterSpec for PmcrAndMore {
    type Space = Space;
    type Ux = u64;
    const LOCATION: Location<Space, u64> = PmcrSpec::LOCATION;
    const INITIAL: u64 = 0;
    const KEEP: u64 = 0;
}

fn main() {}
