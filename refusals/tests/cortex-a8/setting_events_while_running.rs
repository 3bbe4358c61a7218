use arm_pmu_sim::CortexA8;
use cortex_a8::{CortexA8Event, Pmu};

fn main() {
    let device = CortexA8::new();
    let pmu = Pmu::new(device.bus());
    let mut running = pmu.start();
    let [first, ..] = running.counters();
    first.count(CortexA8Event::L2CacheAccess);
}
