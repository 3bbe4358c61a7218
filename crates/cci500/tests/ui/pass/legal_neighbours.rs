//! Correct versions of the cases that fail.

use arm_pmu_sim::Cci500;
use cci500::{GlobalEvent, MI5, MasterEvent, Pmu, SI6, SlaveEvent};

fn main() {
    let device = Cci500::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, b, .., h] = pmu.counters();
    a.count(SI6.event(SlaveEvent::ReadRequestAny));
    b.count(MI5.event(MasterEvent::ReadDataBeat));
    h.count(GlobalEvent::GeneratedWrite);
    let _: [cci500::Count; 8] = pmu.start().stop().counts();
}
