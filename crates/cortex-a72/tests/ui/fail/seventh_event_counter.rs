use arm_pmu_sim::CortexA72;
use cortex_a72::Pmu;

fn main() {
    let device = CortexA72::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g] = pmu.counters();
}
