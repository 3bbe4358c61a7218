use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::UserPmu;

fn main() {
    let device = ArmPmuv3::new();
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let _ = pmu.registers().pmintenset_el1();
}
