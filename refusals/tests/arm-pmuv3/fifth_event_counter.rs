use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::Pmu;

fn main() {
    let device = ArmPmuv3::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
