use mmu600::{tbu, tcu};

fn take(region: tcu::Region) {
    let _ = tbu::Pmu::at(region);
}

fn main() {}
