use mmu600::tcu::{Page0, Page1, Pmu};

fn take(page0: Page0, page1: Page1) {
    let _ = Pmu::new(page1, page0);
}

fn main() {}
