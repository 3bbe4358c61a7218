use arm_pmu_sim::Cci500;
use cci500::{Pmu, SI3, SlaveEvent};

fn main() {
    let device = Cci500::new();
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    let _running = pmu.start();
    reads.count(SI3.event(SlaveEvent::ReadRequestAny));
}
