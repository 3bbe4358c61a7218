use arm_pmu_sim::CortexA7;
use cortex_a7::Pmu;

fn main() {
    let device = CortexA7::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
