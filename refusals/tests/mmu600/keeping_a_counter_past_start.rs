use arm_pmu_sim::Mmu600;
use mmu600::TcuEvent;
use mmu600::tcu::Pmu;

fn main() {
    let device = Mmu600::tcu();
    let mut pmu = Pmu::new(device.page0(), device.page1());
    let [first, ..] = pmu.counters();
    let _running = pmu.start();
    first.count(TcuEvent::Transaction);
}
