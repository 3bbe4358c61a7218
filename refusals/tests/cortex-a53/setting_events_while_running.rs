use arm_pmu_sim::CortexA53;
use cortex_a53::{CortexA53Event, Pmu};

fn main() {
    let device = CortexA53::new();
    let mut running = Pmu::new(device.bus()).start();
    let [first, ..] = running.counters();
    first.count(CortexA53Event::L2dCacheRefill);
}
