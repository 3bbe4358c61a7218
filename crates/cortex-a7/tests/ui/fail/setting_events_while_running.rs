use arm_pmu_sim::CortexA7;
use cortex_a7::{CortexA7Event, Pmu};

fn main() {
    let device = CortexA7::new();
    let mut running = Pmu::new(device.bus()).start();
    let [first, ..] = running.counters();
    first.count(CortexA7Event::L2dCacheRefill);
}
