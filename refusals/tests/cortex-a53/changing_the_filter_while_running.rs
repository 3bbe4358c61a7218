use arm_pmu_sim::CortexA53;
use cortex_a53::{Filter, Pmu};

fn main() {
    let device = CortexA53::new();
    let mut running = Pmu::new(device.bus()).start();
    running.count_in(Filter::EL0);
}
