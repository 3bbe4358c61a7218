use arm_pmu_sim::Arm11;
use arm11::Arm1136Event;
use arm11::arm1136::Pmu;

fn main() {
    let device = Arm11::arm1136();
    let mut pmu = Pmu::new(device.bus());
    let [first, _] = pmu.counters();
    let _running = pmu.start();
    first.count(Arm1136Event::BranchExecuted);
}
