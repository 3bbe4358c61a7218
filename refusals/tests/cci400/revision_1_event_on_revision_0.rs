use arm_pmu_sim::Cci400;
use cci400::{M0, MasterEvent, r0};

fn main() {
    let device = Cci400::new();
    let mut pmu = r0::Pmu::new(device.bus());
    let [counter, ..] = pmu.counters();
    counter.count(M0.event(MasterEvent::AddressHazardStall));
}
