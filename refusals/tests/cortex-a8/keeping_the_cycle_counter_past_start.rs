use arm_pmu_sim::CortexA8;
use cortex_a8::{Divider, Pmu};

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let cycles = pmu.cycle_counter();
    let _running = pmu.start();
    cycles.count(Divider::By1);
}
