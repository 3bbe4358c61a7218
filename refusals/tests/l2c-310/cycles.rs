use arm_pmu_sim::L2c310;
use l2c_310::Pmu;

fn main() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    // The cycle counter of a core has this method.
    pmu.cycle_counter().count();
}
