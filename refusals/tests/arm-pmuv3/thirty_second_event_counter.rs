use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::Pmu;

fn main() {
    let device = ArmPmuv3::new();
    let _pmu = Pmu::probe_counters::<32>(device.bus(), ArmPmuv3::ID_AA64DFR0);
}
