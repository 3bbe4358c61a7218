use arm_pmu_sim::CortexA53;
use cortex_a53::UserPmu;

fn main() {
    let device = CortexA53::new();
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let _ = pmu.registers().pmintenset_el1();
}
