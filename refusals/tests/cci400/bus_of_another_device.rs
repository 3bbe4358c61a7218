use arm_pmu_core::bus::{MemorySpace, Mmio, Space};
use cci400::Pmu;

enum Other {}

impl Space for Other {
    type Key = usize;
    type Permit = ();
}

impl MemorySpace for Other {
    const LENGTH: usize = 0x1000;
}

fn take(bus: Mmio<Other>) {
    let _ = Pmu::new(bus);
}

fn main() {}
