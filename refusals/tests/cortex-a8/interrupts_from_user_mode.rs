use arm_pmu_sim::CortexA8;
use cortex_a8::{Counters, UserPmu};

fn main() {
    let device = CortexA8::new();
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    pmu.interrupts(Counters::ALL);
}
