use arm_pmu_sim::CortexA53;
use cortex_a53::{CortexA53Event, Pmu};

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    // Event 0x40 of a Cortex-A72.
    first.count(CortexA53Event::L1dCacheRd);
}
