use arm_pmu_sim::CortexA8;
use cortex_a8::Pmu;

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let control = pmu.registers().pmcr();
    let _running = pmu.start();
    control.modify(|_, w| w.e().clear_bit());
}
