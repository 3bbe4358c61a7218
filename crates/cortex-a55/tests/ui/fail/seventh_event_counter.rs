use arm_pmu_sim::CortexA55;
use cortex_a55::Pmu;

fn main() {
    let device = CortexA55::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e, _f, _g] = pmu.counters();
}
