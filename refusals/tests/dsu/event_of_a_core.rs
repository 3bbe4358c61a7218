use arm_pmu::dsu::Pmu;
use arm_pmu_sim::Dsu;
use cortex_a53::CortexA53Event;

fn main() {
    let device = Dsu::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    // The cluster has this event too, as `DsuEvent::BusAccess`.
    first.count(CortexA53Event::BusAccess);
}
