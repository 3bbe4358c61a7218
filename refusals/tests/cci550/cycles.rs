use arm_pmu_core::measure::CycleCounter;
use arm_pmu_sim::Cci550;
use cci550::Pmu;

fn cycles_of<M: CycleCounter>(_: &M) {}

fn main() {
    let device = Cci550::new();
    cycles_of(&Pmu::new(device.bus()));
}
