use arm_pmu_sim::Arm11;
use arm11::Counters;
use arm11::arm1176::Pmu;

fn main() {
    let device = Arm11::arm1176();
    let mut pmu = Pmu::new(device.bus());
    pmu.fast_interrupts(Counters::ALL);
}
