use arm_pmu_core::bus::{Location, RegisterSpec};
use cci550::Space;
use cci550::registers::pmcr::PmcrSpec;

/// 64 bits at PMCR, and so at the next register too.
struct PmcrAndMore;

impl RegisterSpec for PmcrAndMore {
    type Space = Space;
    type Ux = u64;
    const LOCATION: Location<Space, u64> = PmcrSpec::LOCATION;
    const INITIAL: u64 = 0;
    const KEEP: u64 = 0;
}

fn main() {}
