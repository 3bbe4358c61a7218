use arm_pmu_sim::CortexA8;
use cortex_a8::Pmu;

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
