use arm_pmu_sim::Mmu700;
use arm_pmu::mmu700::tcu::Pmu;

fn main() {
    let device = Mmu700::tcu();
    let _pmu = Pmu::probe_counters::<32>(device.page0(), device.page1());
}
