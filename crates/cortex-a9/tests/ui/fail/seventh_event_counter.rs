use arm_pmu_sim::CortexA9;
use cortex_a9::Pmu;

fn main() {
    let device = CortexA9::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g] = pmu.counters();
}
