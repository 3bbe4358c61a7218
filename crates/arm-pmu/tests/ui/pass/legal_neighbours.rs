//! Correct versions of the cases that fail.

use arm_pmu::measure::{CycleCounter, Monitor, measure};
use arm_pmu::schedule::EventSet;
use arm_pmu_sim::{Cci400, Cci550};

fn cycles<M: CycleCounter>(pmu: &mut M) {
    let m = measure(pmu, [M::CYCLES], || 7).unwrap();
    assert_eq!(m.output, 7);
}

fn main() {
    let near = Cci400::new();
    cycles(&mut arm_pmu::cci400::Pmu::new(near.bus()));
    let far = Cci550::new();
    let mut pmu = arm_pmu::cci550::Pmu::new(far.bus());
    let event = arm_pmu::cci550::SI3.event(arm_pmu::cci550::SlaveEvent::ReadRequestAny);
    pmu.assign(&[event]).unwrap();
    assert!(measure(&mut pmu, [event; 8], || ()).is_ok());
    let schedule = EventSet::<_, 1>::of([event]).schedule(&mut pmu).unwrap();
    let mut run = schedule.rotate(pmu, 0);
    assert_eq!(run.running().unwrap().counts()[0].exact(), Ok(0));
    assert_eq!(run.take_overflows(), 0);
}
