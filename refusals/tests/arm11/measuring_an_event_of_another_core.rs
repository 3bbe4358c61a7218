use arm_pmu_sim::Arm11;
use arm11::arm1136::Pmu;
use arm11::{Arm1176Event, measure};

fn main() {
    let device = Arm11::arm1136();
    let mut pmu = Pmu::new(device.bus());
    let _ = measure(&mut pmu, [Arm1176Event::BranchExecuted], || ());
}
