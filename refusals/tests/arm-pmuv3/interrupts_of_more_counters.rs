use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::{Counters, Pmu};

fn main() {
    let device = ArmPmuv3::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.interrupts(Counters::<6>::ALL);
}
