//! A valid program, which passes the two pages of a simulated device in the correct order.

use arm_pmu_sim::Mmu600;
use mmu600::tbu::Pmu;

fn main() {
    let device = Mmu600::tbu();
    let _pmu = Pmu::new(device.page0(), device.page1());
}
