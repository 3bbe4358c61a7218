//! Correct versions of the cases that fail.

use arm_pmu_sim::CortexA53;
use cortex_a53::{CortexA53Event, Filter, Pmu, Sysreg, UserPmu};

fn main() {
    let device = CortexA53::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, _b, _c, _d, _e, f] = pmu.counters();
    a.count(CortexA53Event::InstRetired);
    f.count(CortexA53Event::L1dCache);
    pmu.cycle_counter().count();
    pmu.count_in(Filter::EL0);
    pmu.user_access(true);
    let _ = pmu.registers().pmintenset_el1().read();
    let _ = pmu.registers().pmceid0_el0().read();
    let pmu = pmu.start().stop();
    assert_eq!(pmu.counts()[5].exact(), Ok(0));
    let mut program = UserPmu::open(device.user_bus()).unwrap();
    let _ = program.registers().pmcntenset_el0().read();
}

/// A PMU can live in a `static`, and move to a handler of its overflows.
#[allow(dead_code)]
fn moved() {
    // SAFETY: never run.
    static PMU: std::sync::Mutex<Option<Pmu<Sysreg>>> = std::sync::Mutex::new(None);
    let pmu = Pmu::new(unsafe { Sysreg::new() });
    *PMU.lock().unwrap() = Some(pmu);
    std::thread::spawn(|| PMU.lock().unwrap().take().map(Pmu::start));
}
