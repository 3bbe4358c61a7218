use arm_pmu::cci550::{Pmu, SI3, SlaveEvent};
use arm_pmu::measure::measure;
use arm_pmu_sim::Cci550;

fn main() {
    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let _ = measure(&mut pmu, [SI3.event(SlaveEvent::ReadRequestAny)], || {
        let [counter, ..] = pmu.counters();
        counter.off();
    });
}
