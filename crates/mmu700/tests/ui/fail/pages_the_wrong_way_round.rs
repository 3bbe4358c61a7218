use mmu700::tbu::{Page0, Page1, Pmu};

fn take_over(page0: Page0, page1: Page1) -> Pmu {
    Pmu::new(page1, page0)
}

fn main() {}
