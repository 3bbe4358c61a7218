//! Correct versions of the cases that fail.

use arm_pmu_sim::Arm11;
use arm11::{
    Arm1136Event, Arm1156Event, Arm1176Event, Cp15, Counters, Divider, arm1136, arm1156,
    arm1176, measure,
};

fn take(bus: Cp15) -> arm1176::Pmu {
    arm1176::Pmu::new(bus)
}

fn one_after_the_other(bus: Cp15) -> arm1136::Pmu {
    let first = arm1176::Pmu::new(bus);
    arm1136::Pmu::new(first.release())
}

fn main() {
    let devices = (Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176());
    let mut pmu = arm1156::Pmu::new(devices.1.bus());
    let [first, second] = pmu.counters();
    first.count(Arm1156Event::FiqDisabledCycle);
    second.off();
    pmu.cycle_counter().count(Divider::By64);
    pmu.interrupts(Counters::ALL);
    pmu.fast_interrupts(Counters::ALL);
    let mut pmu = pmu.start().stop();
    let [first, _] = pmu.counters();
    first.count(Arm1156Event::BranchExecuted);
    assert_eq!(pmu.start().stop().counts()[0].exact(), Ok(0));

    let mut pmu = arm1136::Pmu::new(devices.0.bus());
    let measured = measure(&mut pmu, [Arm1136Event::BranchExecuted], || ()).unwrap();
    assert_eq!(measured.counts[0].exact(), Ok(0));
    let mut pmu = arm1176::Pmu::new(devices.2.bus());
    let measured = measure(&mut pmu, [Arm1176Event::BranchExecuted], || ()).unwrap();
    assert_eq!(measured.counts[0].exact(), Ok(0));
    let _ = (take as fn(_) -> _, one_after_the_other as fn(_) -> _);
}
