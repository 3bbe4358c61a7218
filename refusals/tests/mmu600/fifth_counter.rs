use arm_pmu_sim::Mmu600;
use mmu600::tbu::Pmu;

fn main() {
    let device = Mmu600::tbu();
    let mut pmu = Pmu::new(device.page0(), device.page1());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
