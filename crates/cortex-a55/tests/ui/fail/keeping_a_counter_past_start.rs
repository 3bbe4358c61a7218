use arm_pmu_sim::CortexA55;
use cortex_a55::{CortexA55Event, Pmu};

fn main() {
    let device = CortexA55::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    let _running = pmu.start();
    first.count(CortexA55Event::L2dCacheRefill);
}
