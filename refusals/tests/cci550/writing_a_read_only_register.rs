use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().pid0().write(|w| w);
}
