use arm_pmu_sim::CortexA8;
use cortex_a8::UserPmu;

fn main() {
    let device = CortexA8::new();
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let _ = pmu.registers().pmintenset().read();
}
