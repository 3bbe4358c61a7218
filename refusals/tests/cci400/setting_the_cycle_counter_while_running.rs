use arm_pmu_sim::Cci400;
use cci400::{Divider, Pmu};

fn main() {
    let device = Cci400::new();
    let mut running = Pmu::new(device.bus()).start();
    running.cycle_counter().count(Divider::By64);
}
