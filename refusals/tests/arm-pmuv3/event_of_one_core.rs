use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::Pmu;
use cortex_a53::CortexA53Event;

fn main() {
    let device = ArmPmuv3::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    first.count(CortexA53Event::L1dCacheRefill);
}
