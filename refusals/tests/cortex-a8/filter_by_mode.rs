use arm_pmu_sim::CortexA8;
use cortex_a8::Pmu;

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    // A Cortex-A7 has filters by mode.
    pmu.count_in(arm_pmu::cortex_a7::Filter::USER);
}
