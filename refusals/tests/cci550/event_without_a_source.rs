use arm_pmu_sim::Cci550;
use cci550::{Pmu, SlaveEvent};

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(SlaveEvent::ReadRequestAny);
}
