use arm_pmu_core::bus::{MemorySpace, Space, TwoPages};
use mmu600::registers::tcu::Region;

/// A region with all pages, including registers of the SMMU.
enum Everything {}

impl Space for Everything {
    type Key = usize;
    type Permit = ();
}

impl MemorySpace for Everything {
    const LENGTH: usize = Region::LENGTH;
}

impl TwoPages for Region {
    type Page0 = Everything;
    type Page1 = Everything;
    const PAGE0: usize = 0;
    const PAGE1: usize = 0;
}

fn main() {}
