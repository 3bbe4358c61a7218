//! A valid program: the pages of a simulated device are in order.

use arm_pmu_sim::Mmu600;
use mmu600::tbu::Pmu;

fn main() {
    let device = Mmu600::tbu();
    let _pmu = Pmu::new(device.page0(), device.page1());
}
