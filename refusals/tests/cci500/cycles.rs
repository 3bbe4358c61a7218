use arm_pmu_core::measure::CycleCounter;
use arm_pmu_sim::Cci500;
use cci500::Pmu;

fn cycles_of<M: CycleCounter>(_: &M) {}

fn main() {
    let device = Cci500::new();
    cycles_of(&Pmu::new(device.bus()));
}
