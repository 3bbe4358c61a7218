use arm_pmu::measure::{CycleCounter, measure};
use arm_pmu_sim::Cci550;

fn cycles<M: CycleCounter>(pmu: &mut M) {
    let _ = measure(pmu, [M::CYCLES], || ());
}

fn main() {
    let device = Cci550::new();
    cycles(&mut arm_pmu::cci550::Pmu::new(device.bus()));
}
