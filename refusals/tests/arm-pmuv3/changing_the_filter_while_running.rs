use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::{Filter, Pmu};

fn main() {
    let device = ArmPmuv3::new();
    let mut running = Pmu::new(device.bus()).start();
    running.count_in(Filter::EL0);
}
