use arm_pmu_core::driver::Divider;
use arm_pmu_sim::CortexA53;
use cortex_a53::Pmu;

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().count(Divider::By64);
}
