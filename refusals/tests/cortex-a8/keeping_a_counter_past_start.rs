use arm_pmu_sim::CortexA8;
use cortex_a8::{CortexA8Event, Pmu};

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    let _running = pmu.start();
    first.count(CortexA8Event::L2CacheAccess);
}
