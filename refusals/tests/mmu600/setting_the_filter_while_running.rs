use arm_pmu_sim::Mmu600;
use mmu600::StreamFilter;
use mmu600::tbu::Pmu;

fn main() {
    let device = Mmu600::tbu();
    let pmu = Pmu::new(device.page0(), device.page1());
    let mut running = pmu.start();
    running.filter_streams(StreamFilter::ALL);
}
