use arm_pmu_sim::Cci550;
use cci400::Pmu;

fn main() {
    let device = Cci550::new();
    let _ = Pmu::new(device.bus());
}
