use arm_pmu_sim::CortexA7;
use cortex_a7::{Filter, Pmu};

fn main() {
    let device = CortexA7::new();
    let mut running = Pmu::new(device.bus()).start();
    running.count_in(Filter::USER);
}
