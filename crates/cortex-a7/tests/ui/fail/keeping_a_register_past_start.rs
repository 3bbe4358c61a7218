use arm_pmu_sim::CortexA7;
use cortex_a7::Pmu;

fn main() {
    let device = CortexA7::new();
    let mut pmu = Pmu::new(device.bus());
    let control = pmu.registers().pmcr();
    let _running = pmu.start();
    control.modify(|_, w| w.e().clear_bit());
}
