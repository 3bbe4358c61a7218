use arm_pmu_sim::Arm11;
use arm11::arm1136::Pmu;

fn main() {
    let device = Arm11::arm1136();
    let mut pmu = Pmu::new(device.bus());
    let [_a, _b, _c] = pmu.counters();
}
