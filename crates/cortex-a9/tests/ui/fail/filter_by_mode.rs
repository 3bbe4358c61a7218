use arm_pmu_sim::CortexA9;
use cortex_a9::Pmu;

fn main() {
    let device = CortexA9::new();
    let mut pmu = Pmu::new(device.bus());
    // A Cortex-A7 has one.
    pmu.count_in(armv7_pmu::Filter::USER);
}
