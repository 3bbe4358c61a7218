use arm_pmu_sim::Cci550;
use mmu600::tcu::Pmu;

fn main() {
    let (one, two) = (Cci550::new(), Cci550::new());
    let _ = Pmu::new(one.bus(), two.bus());
}
