//! What differs from the programs of `fail` by what is wrong in them.

use arm_pmu_sim::ArmPmuv3;
use arm_pmuv3::{CommonEvent, Counters, Filter, Pmu, UserPmu};

fn main() {
    let device = ArmPmuv3::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, _b, _c, _d] = pmu.counters();
    first.count(CommonEvent::L1dCacheRefill);
    pmu.count_in(Filter::EL0);
    pmu.interrupts(Counters::<4>::ALL);
    let _ = pmu.registers().pmintenset_el1();
    let pmu = Pmu::probe_counters::<31>(device.bus(), ArmPmuv3::ID_AA64DFR0);
    drop(pmu.unwrap().start());
    device.set_user_access(true);
    let mut pmu = UserPmu::open(device.user_bus()).unwrap();
    let _ = pmu.registers().pmccntr_el0();
}
