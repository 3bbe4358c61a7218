use arm_pmu_sim::CortexA53;
use cortex_a53::Pmu;

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    let control = pmu.registers().pmcr_el0();
    let _running = pmu.start();
    control.modify(|_, w| w.e().clear_bit());
}
