use arm_pmu_sim::Cci550;
use cci550::{Pmu, SI3, SlaveEvent};

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    let _running = pmu.start();
    reads.count(SI3.event(SlaveEvent::ReadRequestAny));
}
