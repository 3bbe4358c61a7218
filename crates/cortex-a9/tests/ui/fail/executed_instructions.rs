use arm_pmu_sim::CortexA9;
use cortex_a9::{CortexA9Event, Pmu};

fn main() {
    let device = CortexA9::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    // Event 0x08 of other cores.
    first.count(CortexA9Event::InstRetired);
}
