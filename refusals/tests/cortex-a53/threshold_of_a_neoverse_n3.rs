use arm_pmu_sim::CortexA53;
use cortex_a53::{CortexA53Event, Pmu};

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    let thresholds = pmu.thresholds();
    let at_least_3 = arm_pmuv3::Thresholds::of_width(4).unwrap().at_least(3).unwrap();
    let [first, ..] = pmu.counters();
    first.count(CortexA53Event::InstRetired.when(at_least_3));
}
