use arm_pmu_sim::Mmu700;
use arm_pmu::mmu700::tbu::Pmu;

fn main() {
    let device = Mmu700::tbu();
    let mut pmu = Pmu::new(device.page0(), device.page1());
    pmu.filter_streams(smmuv3_pmcg::StreamFilter::<24>::ALL);
}
