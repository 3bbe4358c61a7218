use arm_pmu_sim::Mmu700;
use mmu700::tbu::Pmu;

fn main() {
    let device = Mmu700::tbu();
    let mut pmu = Pmu::new(device.page0(), device.page1());
    let [_a, _b, _c, _d, _e] = pmu.counters();
}
