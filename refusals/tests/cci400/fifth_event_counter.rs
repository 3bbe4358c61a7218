use arm_pmu_sim::Cci400;
use cci400::Pmu;

fn main() {
    let device = Cci400::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
