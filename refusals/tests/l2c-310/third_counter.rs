use arm_pmu_sim::L2c310;
use l2c_310::Pmu;

fn main() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c] = pmu.counters();
}
