use arm_pmu_sim::CortexA53;
use cortex_a53::Pmu;

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g] = pmu.counters();
}
