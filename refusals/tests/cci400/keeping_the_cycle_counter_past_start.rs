use arm_pmu_sim::Cci400;
use cci400::{Divider, Pmu};

fn main() {
    let device = Cci400::new();
    let mut pmu = Pmu::new(device.bus());
    let cycles = pmu.cycle_counter();
    let _running = pmu.start();
    cycles.count(Divider::By1);
}
