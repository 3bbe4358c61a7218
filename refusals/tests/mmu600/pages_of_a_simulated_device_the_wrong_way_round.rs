use arm_pmu_sim::Mmu600;
use mmu600::tcu::Pmu;

fn main() {
    let device = Mmu600::tcu();
    let _ = Pmu::new(device.page1(), device.page0());
}
