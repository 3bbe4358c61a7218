use arm_pmu_sim::Arm11;
use arm11::Arm1156Event;
use arm11::arm1176::Pmu;

fn main() {
    let device = Arm11::arm1176();
    let mut pmu = Pmu::new(device.bus());
    let [first, _] = pmu.counters();
    first.count(Arm1156Event::FiqDisabledCycle);
}
