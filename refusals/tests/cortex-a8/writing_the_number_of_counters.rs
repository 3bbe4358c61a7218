use arm_pmu_sim::CortexA8;
use cortex_a8::Pmu;

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().pmcr().modify(|_, w| w.n().set(6));
}
