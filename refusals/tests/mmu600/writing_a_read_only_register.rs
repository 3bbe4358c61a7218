use arm_pmu_sim::Mmu600;
use mmu600::tcu::Pmu;

fn main() {
    let device = Mmu600::tcu();
    let mut pmu = Pmu::new(device.page0(), device.page1());
    let (page0, _) = pmu.registers();
    page0.cfgr().write(|w| w);
}
