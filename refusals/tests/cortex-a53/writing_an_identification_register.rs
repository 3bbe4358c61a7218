use arm_pmu_sim::CortexA53;
use cortex_a53::Pmu;

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().pmceid0_el0().write(|w| w);
}
