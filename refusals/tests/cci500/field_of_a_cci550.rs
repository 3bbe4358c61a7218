use arm_pmu_sim::Cci500;
use cci500::Pmu;

fn main() {
    let device = Cci500::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().secure_access().modify(|_, w| w.secure_observation_override().set_bit());
}
