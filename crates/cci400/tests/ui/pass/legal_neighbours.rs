//! Correct versions of the cases that fail.

use arm_pmu_sim::Cci400;
use cci400::{Divider, M0, MasterEvent, Pmu, S4, SlaveEvent, r0};

fn main() {
    let _ = M0.event(MasterEvent::AddressHazardStall);
    let device = Cci400::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, _b, _c, d] = pmu.counters();
    a.count(S4.event(SlaveEvent::ReadRequestAny));
    d.off();
    pmu.cycle_counter().count(Divider::By64);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.cycles().exact(), Ok(0));
    let mut pmu = r0::Pmu::new(pmu.release());
    let [a, ..] = pmu.counters();
    a.count(r0::M0.event(r0::MasterEvent::ReadAddressHazardStall));
}
