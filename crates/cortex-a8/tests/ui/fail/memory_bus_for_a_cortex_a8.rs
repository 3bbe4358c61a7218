use arm_pmu_sim::Cci400;
use cortex_a8::Pmu;

fn main() {
    let device = Cci400::new();
    let _ = Pmu::new(device.bus());
}
